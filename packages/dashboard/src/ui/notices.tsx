import { Button, Group, Text } from '@mantine/core'
import type { NotificationData } from '@mantine/notifications'
import { GivenUp } from '../data/given-up.js'
import { Icon } from './icons.js'
import { explain } from './states.js'
import { strings } from './strings.js'

const doneMs = 4000
const failedMs = 10_000
let offered = 0
/** The notices that end with the page they are about, and those that end by themselves. */
const passing = new Set<string>()
const brief = new Set<string>()

/** Loads with the first notice, because nothing needs it earlier. */
const load = async () => (await import('@mantine/notifications')).notifications
const show = (notice: NotificationData) => void load().then((notifications) => notifications.show(notice))

/** Reports a success. */
export function sayDone(message: string): void {
  offered += 1
  const id = `done-${offered}`
  brief.add(id)
  show({
    id,
    onClose: () => brief.delete(id),
    message,
    color: 'teal',
    icon: <Icon name="check" />,
    autoClose: doneMs,
    closeButtonProps: { 'aria-label': strings.close },
  })
}

/** Reports an error. A cancelled confirmation is not an error. */
export function sayFailed(title: string, error: unknown): void {
  if (error instanceof GivenUp) return
  show({
    title,
    message: explain(error).about,
    color: 'red',
    icon: <Icon name="warning" />,
    autoClose: failedMs,
    closeButtonProps: { 'aria-label': strings.close },
  })
}

/**
 * Reports a success, with an undo button. It stays until the user closes it. With a slot it is about the page: it ends when
 * the user leaves the page, or when another one with the same slot replaces it.
 */
export function offerUndo(message: string, undo: () => unknown, slot?: string): void {
  offered += 1
  const id = `undo-${slot ?? offered}`
  if (slot !== undefined) passing.add(id)
  showUndo(id, message, undo)
}

/** The changes of the joined notices that are open, by kind, newest first. */
const joined = new Map<string, readonly unknown[]>()

/**
 * Reports changes of one kind in one notice with an undo button. Changes that follow while it is open join it, and are
 * undone together with the others.
 */
export function offerJoinedUndo<T>(
  kind: string,
  change: T,
  words: (changes: readonly T[]) => string,
  undo: (changes: readonly T[]) => unknown,
): void {
  const changes = [change, ...((joined.get(kind) ?? []) as readonly T[])]
  joined.set(kind, changes)
  showUndo(
    `undo-${kind}`,
    words(changes),
    () => undo(changes),
    () => joined.delete(kind),
  )
}

/** Closes the joined notice of a kind, if there is one: what it reports is no longer so. */
export function endJoined(kind: string): void {
  if (joined.delete(kind)) void load().then((notifications) => notifications.hide(`undo-${kind}`))
}

interface OpenUndo {
  readonly message: string
  readonly run: () => void
}

/** The undo buttons on the screen, by the id of their notice, newest last. */
const undos = new Map<string, OpenUndo>()

/** The undo button of the newest notice, if there is one. */
export const newestUndo = (): OpenUndo | undefined => [...undos.values()].at(-1)

function showUndo(id: string, message: string, undo: () => unknown, onClose?: () => unknown): void {
  const run = () => {
    void load().then((notifications) => notifications.hide(id))
    undo()
  }
  undos.delete(id)
  undos.set(id, { message, run })
  const notice = {
    id,
    onClose: () => {
      undos.delete(id)
      onClose?.()
    },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" lineClamp={2}>
          {message}
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          leftSection={<Icon name="undo" size={14} />}
          aria-keyshortcuts={noticeKey}
          onClick={run}
        >
          {strings.undo}
        </Button>
      </Group>
    ),
    autoClose: false,
    closeButtonProps: { 'aria-label': strings.close },
  } as const
  void load().then((notifications) => {
    // Each of the two does nothing where the other one is needed.
    notifications.update(notice)
    notifications.show(notice)
  })
}

/** The key that moves the focus to the newest notice. */
export const noticeKey = 'F8'

/** Closes the notices about a page that the user has left. */
export const leavePage = (): void => hide(passing)

/** Closes what reports earlier successes, when something takes its place on the screen: there are new changes to save. */
export function makeRoom(): void {
  hide(passing)
  hide(brief)
}

function hide(notices: Set<string>): void {
  if (notices.size === 0) return
  const ids = [...notices]
  notices.clear()
  void load().then((notifications) => {
    for (const id of ids) notifications.hide(id)
  })
}

/** Moves the focus to the first button of the newest notice, if there is one. */
export function focusNotice(): void {
  const notices = document.querySelectorAll<HTMLElement>('.mantine-Notification-root')
  notices[notices.length - 1]?.querySelector('button')?.focus()
}
