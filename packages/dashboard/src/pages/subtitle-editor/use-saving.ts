import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { CallOptions } from '@zoetrope/sdk'
import { useEffect, useRef, useState } from 'react'
import { GivenUp } from '../../data/given-up.js'
import { keyOf } from '../../data/keys.js'
import type { Entry, Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import type { SavedOver } from '../../ui/conflict/use-conflict.js'
import { useSafeSave } from '../../ui/conflict/use-safe-save.js'
import { sayDone } from '../../ui/notices.js'
import type { Values } from '../../ui/resource-form/values.js'
import { explain } from '../../ui/states.js'
import { base64Of, cuesOf, vttOf, wordsOf } from '../video/subtitles/cues.js'
import { type Lines, sortLines } from './line-edits.js'
import type { LineProblem } from './line-problems.js'
import { strings } from './strings.js'
import type { EditedLines } from './use-lines.js'

type WithText = Entry<'subtitles'> & { readonly text: string }

const textOf = (lines: Lines) => vttOf(sortLines(lines))

interface Saved {
  readonly video: Video
  readonly subtitle: Entry<'subtitles'> | undefined
  readonly language: string
  readonly edited: EditedLines
  readonly problems: ReadonlyMap<number, readonly LineProblem[]>
  /** Moves the focus to a line. */
  goTo(key: number): void
}

/** Saves the lines as WebVTT. The first save of a new subtitle creates it. */
export function useSaving({ video, subtitle, language, edited, problems, goTo }: Saved) {
  const { client, channel, mayEdit } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [wrong, setWrong] = useState<string>()
  const [created, setCreated] = useState<string>()
  const safe = useSafeSave(() => save())
  const fingerprint = useRef(subtitle?.file_fingerprint)
  const write = ({ text }: Values, options: CallOptions) => {
    const file = base64Of(new TextEncoder().encode(String(text)))
    if (!subtitle) return client.subtitles.create(video._id, { language, file }, options)
    const name = subtitle.file_file_name?.replace(/\.\w+$/, '.vtt')
    const named = name === undefined ? {} : { file_file_name: name }
    return client.subtitles.update(video._id, subtitle._id, { file, ...named }, options)
  }
  /** Reads the text again if somebody else has saved another one. */
  const read = async (id: string, options: CallOptions) => {
    const now = await client.subtitles.get(video._id, id, options)
    if (now.file_fingerprint === fingerprint.current) return { ...now, text: textOf(edited.saved) }
    return { ...now, text: vttOf(cuesOf(await client.subtitles.download(video._id, id, { format: 'vtt' }))) }
  }
  const saving = useMutation({
    mutationFn: async (lines: Lines): Promise<SavedOver<Entry<'subtitles'>>> => {
      const text = textOf(lines)
      if (!subtitle) return { record: await safe.create({ text }, write), isWritten: true }
      const edit = {
        ...{ resource: { fields: {} }, words: { text: { label: strings.lines, help: null } } },
        changes: { text },
        base: { text: textOf(edited.saved) },
        read: (options: CallOptions) => read(subtitle._id, options),
        write,
      }
      return safe.update(edit)
    },
    onSuccess: ({ record, isWritten }, lines) => {
      safe.note()
      fingerprint.current = record.file_fingerprint
      edited.markSaved(isWritten ? lines : edited.replace(cuesOf((record as WithText).text)))
      if (isWritten) sayDone(strings.saved)
      if (!subtitle) setCreated(record._id)
      void queries.invalidateQueries({ queryKey: keyOf('subtitles', channel._id) })
    },
    onError: safe.note,
  })
  // In an effect, because the page has unsaved changes until it is drawn again.
  useEffect(() => {
    if (created === undefined) return
    void navigate({ to: `/videos/${video._id}/subtitles/${created}`, replace: true })
  }, [created, navigate, video._id])
  const refuse = (why: string, line: number | undefined) => {
    setWrong(why)
    if (line !== undefined) goTo(line)
  }
  const save = () => {
    const { lines, isDirty } = edited
    if (!mayEdit || !isDirty || saving.isPending) return
    const index = lines.findIndex(({ key }) => problems.get(key)?.includes('backwards'))
    if (index >= 0) return refuse(strings.backwardsAt(index + 1), lines[index]?.key)
    if (lines.every(({ text }) => wordsOf(text).trim() === '')) return refuse(strings.noWords, lines[0]?.key)
    setWrong(undefined)
    saving.mutate(lines)
  }
  const { error } = saving
  const refused = error !== null && !(error instanceof GivenUp) ? explain(error).about : undefined
  return {
    save,
    isPending: saving.isPending,
    problem: wrong ?? (safe.notice ? undefined : refused),
    notice: safe.notice,
    dialog: safe.dialog,
  }
}
