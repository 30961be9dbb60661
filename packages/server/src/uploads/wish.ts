import { catalog } from '@zoetrope/contract'
import { invalid } from '../errors.js'
import type { Tree } from '../http/brackets.js'
import { operationInput, readInput } from '../http/input.js'
import { titleFrom } from '../lib/file-name.js'

/** What the file is for: a video that exists, or a new one with these fields. */
export type Wish = { readonly video_id: string } | { readonly body: Tree }

const input = operationInput(catalog.videos, 'create')

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''
const isGroup = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A new video without a title is called like its file. */
export function readWish(tree: Tree, fileName: string): Wish {
  if (isGiven(tree.video_id)) {
    if (isGroup(tree.video))
      throw invalid('Send video_id for a video that exists, or video[…] for a new one, not both.', {
        video_id: ['cannot be sent together with the fields of a new video'],
      })
    return { video_id: String(tree.video_id) }
  }
  const given = isGroup(tree.video) ? tree.video : tree
  const title = isGiven(given.title) ? given.title : titleFrom(fileName)
  return { body: readInput(input, { tree: { video: { ...given, title } }, written: 'form' }) }
}
