import { type BodyOf, type Catalog, catalog } from '@zoetrope/contract'
import type { Tree } from '../api/brackets.js'
import { operationInput, readInput } from '../api/input.js'
import type { UploadGrant } from '../auth/upload-tokens.js'
import { forbidden, invalid } from '../errors.js'
import { withFormats } from '../films/formats.js'
import { titleFrom } from '../lib/file-name.js'
import { isObject } from '../lib/is-object.js'

/** The target of the file: an existing video, or a new one with these fields. */
export type UploadTarget = { readonly video_id: string } | { readonly body: VideoToCreate }

type VideoToCreate = BodyOf<Catalog['videos'], 'create'>

const input = operationInput(catalog.videos, 'create')
const writable = input.fields.map(([name]) => name)

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''
/** Fields come as `video[…]`, as `upload[…]`, or bare. A new video without a title is called like its file. */
export function readTarget(tree: Tree, fileName: string, grant?: UploadGrant): UploadTarget {
  const { video_id: named, ...uploaded } = isObject(tree.upload) ? tree.upload : {}
  const fields = { ...uploaded, ...(isObject(tree.video) ? tree.video : {}) }
  const isGrouped = isObject(tree.video) || Object.keys(uploaded).length > 0
  const video_id = allowedVideo(isGiven(tree.video_id) ? tree.video_id : named, grant)
  if (video_id !== undefined) {
    if (isGrouped)
      throw invalid('Send video_id for a video that exists, or video[…] for a new one, not both.', {
        video_id: ['cannot be sent together with the fields of a new video'],
      })
    return { video_id }
  }
  const given = isGrouped ? fields : tree
  if (isGiven(given.source_url))
    throw invalid('Send the file, or source_url to fetch it from, not both.', {
      source_url: ['cannot be sent together with the file'],
    })
  checkAllowed(given, grant)
  const title = isGiven(given.title) ? given.title : titleFrom(fileName)
  const video = { ...given, title }
  // The input has checked it against the contract.
  const body = withFormats(readInput(input, { tree: { video }, written: 'form' }) as VideoToCreate)
  return { body: grant && !grant.active ? hiddenBody(body) : body }
}

/** Anybody can read the token in the source of a page, so it must not let them set prices or who may watch. */
function checkAllowed(given: Tree, grant: UploadGrant | undefined): void {
  if (!grant) return
  const { allowed_fields } = grant
  const others = writable.filter((name) => isGiven(given[name]) && !allowed_fields.includes(name))
  if (others.length === 0) return
  const allowed = allowed_fields.length > 0 ? `only ${allowed_fields.join(', ')}` : 'no fields'
  throw invalid(
    `This upload token may set ${allowed}, and not ${others.join(', ')}. Name them in allowed_fields when you create the token.`,
    Object.fromEntries(others.map((name) => [name, ['may not be set with this upload token']])),
  )
}

/** The fields of a video that only its publisher can activate. */
export function hiddenBody({ enable_at: _, disable_at: __, ...body }: VideoToCreate): VideoToCreate {
  return { ...body, active: false }
}

/** A token is for one video, or for new ones. */
function allowedVideo(given: unknown, grant: UploadGrant | undefined): string | undefined {
  const asked = isGiven(given) ? String(given) : undefined
  if (!grant) return asked
  if (asked !== undefined && asked !== grant.video_id)
    throw forbidden(
      grant.video_id === null
        ? 'This upload token is for new videos.'
        : 'This upload token is for another video.',
    )
  return grant.video_id ?? undefined
}
