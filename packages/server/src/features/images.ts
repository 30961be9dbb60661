import { createHash } from 'node:crypto'
import { type BodyOf, type Catalog, limits } from '@zoetrope/contract'
import type { Db } from '../db/database.js'
import { couldNotSave, invalid, notFound } from '../errors.js'
import { claimRoom } from '../films/quota.js'
import { newUnguessableId } from '../lib/object-id.js'
import { ImageRefused, readImageFacts, uprightSize } from '../media/image-facts.js'
import type { Parts } from '../resources/feature.js'
import type { Values } from '../resources/store.js'
import { base64Bytes } from './base64.js'
import { carryOut, type NestedChange } from './nested-changes.js'

/** The base URL of images, and the storage limits. */
type Keeping = Pick<Parts, 'mediaUrl' | 'files'>

/** The record that the images belong to. */
interface Owner {
  readonly site_id: string
  readonly owner_id: string
}

/** An image as it is stored. Zobjects have neither its layout nor its size. */
export interface Image {
  readonly _id: string
  readonly title: string | null
  readonly caption: string | null
  readonly layout?: string
  readonly url: string
  readonly width?: number
  readonly height?: number
  readonly content_type: string
  readonly updated_at: string
}

interface ImageChange extends NestedChange {
  readonly title?: string | null
  readonly caption?: string | null
  readonly layout?: string | null
  readonly attachment?: string | null
}

/** The fields of a video or playlist that change its images. */
export type ImageFields = Pick<
  BodyOf<Catalog['videos']>,
  'images_attributes' | 'custom_thumbnail' | 'delete_custom_thumbnail'
>

const most = limits.images.value

/** Applies changes to images and returns the result. Also deletes the files of removed images. */
export async function changeImages(
  tx: Db,
  parts: Keeping,
  owner: Owner,
  had: readonly Image[],
  changes: readonly ImageChange[],
  field: string,
): Promise<readonly Image[]> {
  let images = had
  const known = (id: string): Image => {
    const found = images.find(({ _id }) => _id === id)
    if (!found) throw notFound('image')
    return found
  }
  const updated_at = new Date().toISOString()
  await carryOut(changes, {
    async create({ attachment, ...said }) {
      if (typeof attachment !== 'string')
        throw couldNotSave('images', field, 'need an attachment: the file of the image')
      const file = await keepFile(tx, parts, owner, attachment, field)
      const blank = { title: null, caption: null, layout: 'landscape' }
      images = [...images, { ...blank, ...clean(said), ...file, updated_at }]
    },
    async change(id, { attachment, ...said }) {
      const old = known(id)
      const file = typeof attachment === 'string' && (await keepFile(tx, parts, owner, attachment, field, id))
      const image = { ...old, ...clean(said), ...(file || {}), updated_at }
      images = images.map((each) => (each === old ? image : each))
    },
    async remove(id) {
      const old = known(id)
      images = images.filter((each) => each !== old)
      await tx`delete from image_files where site_id = ${owner.site_id} and _id = ${id}`
    },
  })
  if (images.length > most) throw couldNotSave('images', field, `must leave at most ${most}`)
  return images
}

const clean = ({ title, caption, layout }: ImageChange): Partial<Image> =>
  Object.fromEntries(
    Object.entries({ title, caption, layout: layout ?? undefined }).filter(
      ([, value]) => value !== undefined,
    ),
  )

/** Stores a file. Replaces the one with this id, if it exists. */
async function keepFile(
  tx: Db,
  { mediaUrl, files }: Keeping,
  { site_id, owner_id }: Owner,
  given: string,
  field: string,
  _id: string = newUnguessableId(),
  is_thumbnail = false,
) {
  const bytes = base64Bytes(given) ?? Buffer.alloc(0)
  const facts = readFacts(bytes, field)
  const word = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  const content_type = `image/${facts.form}`
  await claimGrowth(tx, files, site_id, _id, bytes.length)
  await tx`
    insert into image_files (_id, site_id, owner_id, is_thumbnail, word, content_type, bytes)
    values (${_id}, ${site_id}, ${owner_id}, ${is_thumbnail}, ${word}, ${content_type}, ${bytes})
    on conflict (_id) do update set word = excluded.word, content_type = excluded.content_type, bytes = excluded.bytes
  `
  const url = `${mediaUrl}/images/${_id}/${word}.${facts.form}`
  return { _id, url, content_type, ...uprightSize(facts) }
}

/** Refuses an image that exceeds the channel's storage. A replacement counts only its growth. */
async function claimGrowth(tx: Db, files: Parts['files'], site_id: string, _id: string, bytes: number) {
  const [old] = await tx<{ bytes: number }[]>`
    select octet_length(bytes) as bytes from image_files where site_id = ${site_id} and _id = ${_id}
  `
  const growth = bytes - (old?.bytes ?? 0)
  if (growth > 0) await claimRoom(tx, files, site_id, growth)
}

function readFacts(bytes: Buffer, field: string) {
  try {
    return readImageFacts(bytes)
  } catch (error) {
    if (error instanceof ImageRefused) throw invalid(error.message, { [field]: [error.message] })
    throw error
  }
}

/** Replaces or deletes the custom thumbnail and returns the changed columns, or none if the body does neither. */
async function changeThumbnail(
  tx: Db,
  parts: Keeping,
  owner: Owner,
  { custom_thumbnail, delete_custom_thumbnail }: ImageFields,
): Promise<{
  readonly custom_thumbnail_url?: string | null
  readonly custom_thumbnail_facts?: object | null
}> {
  const comes = typeof custom_thumbnail === 'string'
  if (!comes && delete_custom_thumbnail !== true) return {}
  await tx`
    delete from image_files where site_id = ${owner.site_id} and owner_id = ${owner.owner_id} and is_thumbnail
  `
  if (!comes) return { custom_thumbnail_url: null, custom_thumbnail_facts: null }
  const field = 'custom_thumbnail'
  const image = await keepFile(tx, parts, owner, custom_thumbnail, field, newUnguessableId(), true)
  const { url, width, height } = image
  return { custom_thumbnail_url: url, custom_thumbnail_facts: { url, width, height } }
}

/** Separates the image fields of a body from the other fields. */
export function splitImages<B extends ImageFields>(body: B) {
  const { images_attributes, custom_thumbnail, delete_custom_thumbnail, ...fields } = body
  const pictures: ImageFields = { images_attributes, custom_thumbnail, delete_custom_thumbnail }
  const hasImages = Object.values(pictures).some((value) => value !== undefined)
  return { fields, pictures: hasImages ? pictures : undefined }
}

/** Applies image changes to a video or playlist that the caller has locked. Returns the changed columns. */
export async function imageColumns(
  tx: Db,
  parts: Keeping,
  table: 'videos' | 'playlists',
  owner: Owner,
  pictures: ImageFields,
): Promise<Values> {
  const thumbnail = await changeThumbnail(tx, parts, owner, pictures)
  if (!pictures.images_attributes) return thumbnail
  const [row] = await tx<{ images: readonly Image[] }[]>`
    select images from ${tx(table)} where site_id = ${owner.site_id} and _id = ${owner.owner_id} for update
  `
  if (!row) throw notFound(table === 'videos' ? 'video' : 'playlist')
  const changed = await changeImages(
    tx,
    parts,
    owner,
    row.images,
    pictures.images_attributes,
    'images_attributes',
  )
  return { ...thumbnail, images: changed.map(({ content_type: _, ...image }) => image) }
}
