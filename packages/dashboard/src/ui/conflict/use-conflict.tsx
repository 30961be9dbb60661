import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import type { Resource } from '@zoetrope/contract'
import type { Words } from '@zoetrope/contract/words/field-words'
import { type CallOptions, ZoetropeError } from '@zoetrope/sdk'
import { type ReactNode, useState } from 'react'
import { endedSession } from '../../data/ended-session.js'
import { GivenUp } from '../../data/given-up.js'
import { ChangeText } from '../difference/difference.js'
import { wordsFor } from '../field-words.js'
import { Dialog } from '../form-dialog.js'
import { shownAs, type Values, valuesIn } from '../resource-form/values.js'
import { strings } from '../strings.js'
import { type Clash, clashesOf } from './clashes.js'

type Side = 'mine' | 'theirs'
type Choices = Readonly<Record<string, Side>>

/** What is saved, and what it was made from. */
export interface Edit<T> {
  readonly resource: Pick<Resource, 'fields'>
  readonly words: Words
  readonly changes: Values
  /** The values of the changed fields when the user began to change them. */
  readonly base: Values
  /** Reads the record as it is now. */
  readonly read: (options: CallOptions) => Promise<object>
  readonly write: (changes: Values, options: CallOptions) => Promise<T>
}

export interface SavedOver<T> {
  readonly record: T
  /** False if the user took over what others have saved, so that nothing was left to save. */
  readonly isWritten: boolean
}

interface Question {
  readonly edit: Pick<Edit<unknown>, 'resource' | 'words'>
  readonly clashes: readonly Clash[]
  readonly answer: (choices: Choices) => void
  readonly giveUp: () => void
}

/** Somebody else may save just between our read and our write; this often in a row is a fault. */
const mostTries = 5

const hasChanged = (error: unknown) => error instanceof ZoetropeError && error.status === 412

/** The read before a write would not ask people who have put off signing in again. */
async function untilSignedIn(): Promise<void> {
  if (endedSession.get() === 'none') return
  await endedSession.over(true).catch(() => {
    throw new GivenUp()
  })
}

/**
 * Saves changes without overwriting those of others unseen. The write is made only if the record is still as it was read
 * just before; if others have changed the same fields since the user began, the user decides about each.
 */
export function useConflict() {
  const [question, setQuestion] = useState<Question>()
  const ask = (edit: Question['edit'], clashes: readonly Clash[]) =>
    new Promise<Choices>((resolve, reject) =>
      setQuestion({ edit, clashes, answer: resolve, giveUp: () => reject(new GivenUp()) }),
    ).finally(() => setQuestion(undefined))

  /** What is left of an edit after the user has decided about fields that others have changed too. */
  const agree = async <T,>(edit: Edit<T>, found: Values): Promise<Edit<T>> => {
    const theirs = valuesIn(edit.resource, found, Object.keys(edit.changes))
    const clashes = clashesOf(edit.base, edit.changes, theirs)
    if (clashes.length === 0) return edit
    const choices = await ask(edit, clashes)
    const left = Object.entries(edit.changes).filter(([name]) => choices[name] !== 'theirs')
    // The user has seen these values, so they may be replaced.
    return { ...edit, changes: Object.fromEntries(left), base: { ...edit.base, ...theirs } }
  }

  const save = async <T,>(edit: Edit<T>, tries = mostTries): Promise<SavedOver<T>> => {
    await untilSignedIn()
    let ifMatch = ''
    const found = await edit.read({ onEtag: (etag) => (ifMatch = etag) })
    const agreed = await agree(edit, found as Values)
    if (Object.keys(agreed.changes).length === 0) return { record: found as T, isWritten: false }
    try {
      return { record: await agreed.write(agreed.changes, { ifMatch }), isWritten: true }
    } catch (error) {
      if (!hasChanged(error) || tries === 1) throw error
      return save(agreed, tries - 1)
    }
  }

  const dialog: ReactNode = (
    <Dialog
      title={strings.conflict.title}
      isOpen={question !== undefined}
      onClose={() => question?.giveUp()}
      isWide
    >
      {question && <Decision {...question} />}
    </Dialog>
  )
  return { save, dialog }
}

/** Shows both versions of each field. Nothing is chosen at first, so nobody overwrites by a quick click. */
function Decision({ edit: { resource, words }, clashes, answer, giveUp }: Question) {
  const [choices, setChoices] = useState<Choices>({})
  const chooseAll = (side: Side) => setChoices(Object.fromEntries(clashes.map(({ name }) => [name, side])))
  const facts = (name: string) => ({ name: shownAs(name), field: resource.fields[shownAs(name)], words })
  return (
    <Stack>
      <Text>{strings.conflict.about}</Text>
      {clashes.map(({ name, base, mine, theirs }) => (
        <Radio.Group
          key={name}
          label={wordsFor(words, name).label}
          value={choices[name] ?? null}
          onChange={(side) => setChoices((old) => ({ ...old, [name]: side as Side }))}
        >
          <Stack gap="xs" mt="xs">
            {(['mine', 'theirs'] as const).map((side) => (
              <Radio
                key={side}
                value={side}
                label={strings.conflict[side]}
                description={
                  <ChangeText {...facts(name)} before={base} after={side === 'mine' ? mine : theirs} />
                }
              />
            ))}
          </Stack>
        </Radio.Group>
      ))}
      <Group justify="flex-end">
        {clashes.length > 1 && (
          <Group gap="xs" mr="auto">
            <Button variant="subtle" onClick={() => chooseAll('mine')}>
              {strings.conflict.allMine}
            </Button>
            <Button variant="subtle" onClick={() => chooseAll('theirs')}>
              {strings.conflict.allTheirs}
            </Button>
          </Group>
        )}
        <Button variant="default" onClick={giveUp} data-autofocus>
          {strings.conflict.back}
        </Button>
        <Button disabled={clashes.some(({ name }) => !choices[name])} onClick={() => answer(choices)}>
          {strings.save}
        </Button>
      </Group>
    </Stack>
  )
}
