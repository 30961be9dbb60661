import { ActionIcon, Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { catalog } from '@zoetrope/contract'
import { videoWords } from '@zoetrope/contract/words/videos'
import type { CallOptions } from '@zoetrope/sdk'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { GivenUp } from '../../data/given-up.js'
import { useSession } from '../../data/session.js'
import { useSafeSave } from '../../ui/conflict/use-safe-save.js'
import { Icon } from '../../ui/icons.js'
import { SaveBar } from '../../ui/resource-form/save-bar.js'
import { UnsavedGuard } from '../../ui/resource-form/unsaved-guard.js'
import type { Values } from '../../ui/resource-form/values.js'
import { Section } from '../../ui/section.js'
import { explain } from '../../ui/states.js'
import type { PlayerHandle } from './player.js'
import { strings } from './strings.js'
import type { TabProps } from './tab-props.js'
import { readTimecode, timecode } from './timecode.js'
import { Timeline } from './timeline.js'
import { type Chapter, useChapters } from './use-chapters.js'
import { usePlayhead } from './use-playhead.js'
import classes from './video.module.css'

/** The chapters of a video, on its timeline and as a list. */
export function ChaptersTab({ video, player, put }: TabProps) {
  const { client, mayEdit } = useSession()
  const edited = useChapters(video)
  const { chapters, length, isDirty } = edited
  const [isAsked, setIsAsked] = useState(false)
  const [newest, setNewest] = useState<string>()
  const safe = useSafeSave(() => save())
  const saving = useMutation({
    mutationFn: () => {
      const edit = {
        ...{ resource: catalog.videos, words: videoWords },
        changes: { segments_attributes: edited.changes },
        base: { segments_attributes: edited.base },
        read: (options: CallOptions) => client.videos.get(video._id, options),
        write: (changes: Values, options: CallOptions) => client.videos.update(video._id, changes, options),
      }
      return safe.updateUndoably(edit, () => strings.chapters.saved)
    },
    onSuccess: ({ record }) => {
      safe.note()
      put(record)
      edited.reset()
      setIsAsked(false)
    },
    onError: safe.note,
  })
  const form = useRef<HTMLFormElement>(null)
  const save = () => {
    setIsAsked(true)
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (wrong) wrong.focus()
    else if (isDirty && !saving.isPending && !chapters.some(edited.problemOf)) saving.mutate()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    save()
  }
  const drop = () => {
    edited.reset()
    saving.reset()
    safe.note()
  }
  useHotkeys([['mod+S', save]], [])
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Section
        title={strings.tabs.chapters}
        about={strings.chapters.about}
        actions={
          mayEdit && (
            <AddButton player={player} isDisabled={edited.isFull} onAdd={(at) => setNewest(edited.add(at))} />
          )
        }
      >
        <Stack>
          {length !== undefined && (
            <Timeline
              chapters={chapters}
              length={length}
              player={player}
              isDisabled={!mayEdit}
              onMove={(key, start) => edited.change(key, { start })}
            />
          )}
          {chapters.length === 0 && <Text c="dimmed">{strings.chapters.empty}</Text>}
          {chapters.map((chapter) => (
            <ChapterRow
              key={chapter.key}
              chapter={chapter}
              isNew={chapter.key === newest}
              problem={isAsked || chapter.id ? edited.problemOf(chapter) : undefined}
              isDisabled={!mayEdit}
              onChange={(change) => edited.change(chapter.key, change)}
              onRemove={() => edited.remove(chapter.key)}
              onPlay={() => player.seek(chapter.start / 1000)}
            />
          ))}
          {safe.notice}
          {!safe.notice && saving.error !== null && !(saving.error instanceof GivenUp) && (
            <Alert color="red" variant="light" title={strings.failed} role="alert">
              {explain(saving.error).about}
            </Alert>
          )}
          {mayEdit && isDirty && <SaveBar isSaving={saving.isPending} onDrop={drop} />}
        </Stack>
      </Section>
      <UnsavedGuard isDirty={isDirty} />
      {safe.dialog}
    </form>
  )
}

interface AddButtonProps {
  readonly player: PlayerHandle
  readonly isDisabled: boolean
  onAdd(at: number): void
}

/** Adds a chapter at the player's position. */
function AddButton({ player, isDisabled, onAdd }: AddButtonProps) {
  const playhead = usePlayhead(player)
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="plus" size={14} />}
      disabled={isDisabled}
      onClick={() => onAdd(playhead)}
    >
      {strings.chapters.add(timecode(playhead))}
    </Button>
  )
}

interface ChapterRowProps {
  readonly chapter: Chapter
  readonly isNew: boolean
  readonly problem: string | undefined
  readonly isDisabled: boolean
  onChange(change: Partial<Chapter>): void
  onRemove(): void
  onPlay(): void
}

function ChapterRow(props: ChapterRowProps) {
  const { chapter, isNew, problem, isDisabled, onChange, onRemove, onPlay } = props
  const name = chapter.description || strings.chapters.unnamed
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNew) input.current?.focus()
  }, [isNew])
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" role="group" aria-label={name}>
      <TimeInput start={chapter.start} isDisabled={isDisabled} onChange={(start) => onChange({ start })} />
      <TextInput
        ref={input}
        flex={1}
        aria-label={strings.chapters.name}
        placeholder={strings.chapters.name}
        value={chapter.description}
        error={problem}
        disabled={isDisabled}
        maxLength={255}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <ActionIcon variant="default" size="lg" aria-label={strings.chapters.play(name)} onClick={onPlay}>
        <Icon name="play" size={16} />
      </ActionIcon>
      {!isDisabled && (
        <ActionIcon variant="default" size="lg" aria-label={strings.chapters.remove(name)} onClick={onRemove}>
          <Icon name="trash" size={16} />
        </ActionIcon>
      )}
    </Group>
  )
}

interface TimeInputProps {
  readonly start: number
  readonly isDisabled: boolean
  onChange(start: number): void
}

/** A time input that ignores incomplete times while the user types. */
function TimeInput({ start, isDisabled, onChange }: TimeInputProps) {
  const [text, setText] = useState<string>()
  const read = text === undefined ? start : readTimecode(text)
  const take = () => {
    if (text === undefined || read === undefined) return
    setText(undefined)
    onChange(read)
  }
  return (
    <TextInput
      className={classes.time}
      aria-label={strings.chapters.start}
      value={text ?? timecode(start)}
      error={read === undefined && strings.chapters.noTime}
      disabled={isDisabled}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        take()
      }}
    />
  )
}
