import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { GivenUp } from '../../data/given-up.js'
import { keyOf } from '../../data/keys.js'
import type { Entry, Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { sayDone } from '../../ui/notices.js'
import { explain } from '../../ui/states.js'
import { base64Of, vttOf, wordsOf } from '../video/subtitles/cues.js'
import { type Lines, sortLines } from './line-edits.js'
import type { LineProblem } from './line-problems.js'
import { strings } from './strings.js'
import type { EditedLines } from './use-lines.js'

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
  const saving = useMutation({
    mutationFn: async (lines: Lines) => {
      const file = base64Of(new TextEncoder().encode(vttOf(sortLines(lines))))
      if (!subtitle) return client.subtitles.create(video._id, { language, file })
      const name = subtitle.file_file_name?.replace(/\.\w+$/, '.vtt')
      const named = name === undefined ? {} : { file_file_name: name }
      return client.subtitles.update(video._id, subtitle._id, { file, ...named })
    },
    onSuccess: ({ _id }, lines) => {
      edited.markSaved(lines)
      sayDone(strings.saved)
      void queries.invalidateQueries({ queryKey: keyOf('subtitles', channel._id) })
      if (!subtitle) setCreated(_id)
    },
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
  return { save, isPending: saving.isPending, problem: wrong ?? refused }
}
