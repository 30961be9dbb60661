import { catalog } from '@zoetrope/contract'
import { invalid, notFound } from '../../errors.js'
import { newId } from '../../lib/object-id.js'

export interface Attribute {
  readonly _id: string
  readonly field_name: string
  readonly field_type: string
  readonly description: string | null
  readonly show_list: boolean
  readonly created_at: string
  readonly updated_at: string
}

export interface AttributeChange extends Partial<Omit<Attribute, '_id' | 'created_at' | 'updated_at'>> {
  readonly id?: string
  readonly _destroy?: boolean
}

const field = 'zobject_attributes_attributes'
const badAttribute = (why: string) => invalid(`Could not save zobject type: ${why}.`, { [field]: [why] })

/** Applies changes to the attributes of a type. A known id or name changes an attribute. Others are added. */
export function changeAttributes(
  now: readonly Attribute[],
  changes: readonly AttributeChange[],
): readonly Attribute[] {
  const after = changes.reduce((attributes, change) => changeOne(attributes, change), now)
  const names = after.map(({ field_name }) => field_name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw badAttribute(`two attributes would be called ${twice}`)
  return after
}

function changeOne(
  attributes: readonly Attribute[],
  { id, _destroy, ...given }: AttributeChange,
): readonly Attribute[] {
  const found = attributes.find((each) => (id ? each._id === id : each.field_name === given.field_name))
  if (id && !found) throw notFound('zobject_attribute')
  if (_destroy) return attributes.filter((each) => each !== found)
  const updated_at = new Date().toISOString()
  const blank = {
    _id: newId(),
    field_type: 'string',
    description: null,
    show_list: false,
    created_at: updated_at,
  }
  const next = { ...blank, ...found, ...given, updated_at }
  const attribute: Attribute = { ...next, field_name: checkName(next.field_name) }
  return found ? attributes.map((each) => (each === found ? attribute : each)) : [...attributes, attribute]
}

/** Reserved names, which have another meaning in requests. */
const taken: ReadonlySet<string> = new Set([
  ...Object.keys(catalog.zobjects.fields),
  ...[
    'id',
    'api_key',
    'app_key',
    'access_token',
    'upload_token',
    'zobject',
    'playlist_ids',
    'pictures_attributes',
  ],
])

function checkName(name: string | null | undefined): string {
  if (!name) throw badAttribute('field_name is required')
  if (!/^[a-zA-Z][a-zA-Z0-9_]*$/.test(name))
    throw badAttribute('field_name must begin with a letter and have letters, digits and underscores only')
  if (taken.has(name))
    throw badAttribute(`field_name cannot be ${name}: that is a name of every zobject or request`)
  return name
}
