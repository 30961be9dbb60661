import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Format, formats, startApi, type TestApi } from '../support/api.js'
import { ask, lenient } from './ask.js'

let api: TestApi
before(async () => {
  api = await startApi()
})
after(() => api.stop())

const attributes = [
  { field_name: 'playlistid' },
  { field_name: 'priority', field_type: 'integer' },
  { field_name: 'rating', field_type: 'float' },
  { field_name: 'featured', field_type: 'boolean' },
  { field_name: 'born', field_type: 'date' },
  { field_name: 'tags', field_type: 'array' },
] as const

const newType = async (format: Format = 'json', fields = {}) =>
  api.as('admin', format).zobject_types.create({
    title: `Type ${randomUUID()}`,
    zobject_attributes_attributes: [...attributes],
    ...fields,
  })
const newZobject = async (zobject_type: string, fields = {}) =>
  api.as('admin').zobjects.create({ zobject_type, title: 'One', active: true, ...fields })
const within = (zobject_type: string) => ({ query: { zobject_type } })
type Loose = Readonly<Record<string, unknown>>

for (const format of formats) {
  test(`playlists are found by the zobjects attached to them, and show them (${format})`, async () => {
    const { title: zobject_type } = await newType()
    const { zobjects, playlists } = api.as('admin', format)
    const { _id } = await newZobject(zobject_type)
    const draft = (await newZobject(zobject_type, { active: false }))._id
    const { _id: one } = await playlists.create({ title: 'One' })
    const { _id: two } = await playlists.create({ title: 'Two', active: false })
    await zobjects.addPlaylists(_id, { zobject_type, playlist_id: [two, one] })
    await zobjects.addPlaylists(draft, { zobject_type, playlist_id: [one] })
    const { _id: three } = await playlists.create({ title: 'Three' })
    const listed = async (query: object) =>
      (await playlists.list({ id: [one, two, three], active: 'all', ...query })).response.map(
        (each) => each._id,
      )
    for (const [filter, found] of [
      [{ zobject_id: [_id, draft] }, [two, one]],
      [{ zobject_id: `${_id},${draft}` }, [two, one]],
      [{ zobject_id_or: [draft, three] }, [one]],
      [{ zobject_id_and: [_id, draft, draft] }, [one]],
      [{ zobject_id_and: [_id, 'x\0'] }, []],
      [{ 'zobject_id!': [draft] }, [three, two]],
      [{ zobject_id: '', zobject_id_and: [''] }, [three, two, one]],
    ] as const)
      assert.deepEqual(await listed(filter), found, JSON.stringify(filter))
    const many = playlists.list({ zobject_id_or: Array(201).fill(_id) })
    await assert.rejects(many, { status: 422, message: 'zobject_id_or takes at most 200 values.' })
    type Shown = { playlist_zobjects: unknown }
    const detailed = async (who: 'admin' | 'app', query: object) => {
      const [shown] = (await api.as(who, format).playlists.list({ id: one, zobject_details: true, ...query }))
        .response
      return (shown as unknown as Shown).playlist_zobjects
    }
    const whole = await zobjects.get(_id, within(zobject_type))
    assert.deepEqual(await detailed('app', {}), [whole])
    assert.deepEqual(await detailed('admin', { zobject_fields: 'title' }), [
      { _id, title: whole.title },
      { _id: draft, title: whole.title },
    ])
    assert.deepEqual(await detailed('admin', { zobject_types: 'others' }), [])
    const read = await api.as('app', format).playlists.get(one, { query: { zobject_details: true } })
    assert.deepEqual((read as unknown as Shown).playlist_zobjects, [whole])
    assert.equal('playlist_zobjects' in (await playlists.get(one)), false)
  })

  test(`a type can be made, read, listed, changed and removed (${format})`, async () => {
    const { zobject_types: types } = api.as('admin', format)
    const made = await newType(format, { title: `Top_Playlists ${format}` })
    assert.equal(made.title, `top_playlists ${format}`)
    assert.deepEqual([made.videos_enabled, made.zobject_count], [true, 0])
    assert.deepEqual(
      made.zobject_attributes.map(({ field_name, field_type }) => [field_name, field_type]),
      attributes.map((each) => [each.field_name, 'field_type' in each ? each.field_type : 'string']),
    )
    assert.deepEqual(await types.get(made._id), made)
    // Attributes are accepted as older clients write them and as a record shows them.
    const copied = await types.create({
      title: `Copy ${format}`,
      zobject_attributes: made.zobject_attributes,
    })
    assert.deepEqual(
      copied.zobject_attributes.map(({ field_name, field_type }) => [field_name, field_type]),
      made.zobject_attributes.map(({ field_name, field_type }) => [field_name, field_type]),
    )
    const { zobject_attributes } = copied
    const same = await types.update(copied._id, { zobject_attributes })
    assert.deepEqual(
      same.zobject_attributes.map(({ _id }) => _id),
      zobject_attributes.map(({ _id }) => _id),
    )
    assert.deepEqual((await types.list({ title: made.title })).response, [made])
    await assert.rejects(types.create({ title: made.title.toUpperCase() }), {
      status: 422,
      errors: { title: ['is the title of another type'] },
    })
    const changed = await types.update(made._id, { description: 'Rows', videos_enabled: false })
    assert.deepEqual(changed, {
      ...made,
      description: 'Rows',
      videos_enabled: false,
      updated_at: changed.updated_at,
    })
    await newZobject(made.title)
    assert.equal((await types.get(made._id)).zobject_count, 1)
    await types.remove(made._id)
    await assert.rejects(types.get(made._id), { status: 404, message: 'Zobject type not found' })
    await assert.rejects(api.as('admin').zobjects.list({ zobject_type: made.title }), { status: 404 })
  })

  test(`attributes are added, renamed and removed, and zobjects are updated (${format})`, async () => {
    const { zobject_types: types } = api.as('admin', format)
    const type = await newType(format, {
      zobject_attributes_attributes: [{ field_name: 'a' }, { field_name: 'b', field_type: 'integer' }],
    })
    const { _id } = await newZobject(type.title, { a: 'x', b: 2 })
    const [a, b] = type.zobject_attributes
    const changed = await types.update(type._id, {
      zobject_attributes_attributes: [
        { id: a?._id ?? '', _destroy: true },
        { id: b?._id ?? '', field_name: 'c' },
        { field_name: 'd', description: 'New' },
      ],
    })
    assert.deepEqual(
      changed.zobject_attributes.map(({ field_name }) => field_name),
      ['c', 'd'],
    )
    const record = (await api.as('admin', format).zobjects.get(_id, within(type.title))) as Loose
    assert.deepEqual([record.c, record.d, 'a' in record, 'b' in record], [2, null, false, false])
    for (const [field_name, why] of [
      ['title', 'field_name cannot be title: that is a name of every zobject or request'],
      ['a b', 'field_name must begin with a letter and have letters, digits and underscores only'],
    ] as const)
      await assert.rejects(types.update(type._id, { zobject_attributes_attributes: [{ field_name }] }), {
        status: 422,
        errors: { zobject_attributes_attributes: [why] },
      })
    await assert.rejects(
      types.update(type._id, { zobject_attributes_attributes: [{ id: 'f'.repeat(24), field_name: 'z' }] }),
      { status: 404, message: 'Zobject attribute not found' },
    )
  })

  test(`zobjects can be sorted by attributes of their type, page by page (${format})`, async () => {
    const { title: zobject_type } = await newType()
    const rows = [
      { title: 'Ten', priority: 10, playlistid: 'b', born: '1990-01-01' },
      { title: 'Nine', priority: 9, playlistid: 'a', featured: true },
      { title: 'Nothing' },
      { title: 'Hidden', priority: 1, active: false },
    ]
    for (const fields of rows) await newZobject(zobject_type, fields)
    await newZobject((await newType()).title, { priority: 5 })
    const read = async (query: string, key = api.channel.keys.read_only) => {
      const { status, body } = await ask(
        `${api.url}/zobjects?api_key=${key}&zobject_type=${encodeURIComponent(zobject_type)}&${query}`,
        format,
      )
      assert.equal(status, 200, body.message)
      return body
    }
    const titles = async (query: string, key?: string) =>
      (await read(query, key)).response.map(({ title }) => title).join()
    assert.equal(await titles('sort=priority'), 'Nothing,Nine,Ten')
    assert.equal(await titles('sort=priority&order=dsc'), 'Ten,Nine,Nothing')
    assert.equal(await titles('sort=playlistid&order=desc'), 'Ten,Nine,Nothing')
    assert.equal(await titles('sort=born&order=desc&response_fields=title'), 'Ten,Nothing,Nine')
    assert.equal(await titles('sort=priority&priority=9'), 'Nine')
    assert.equal(await titles('sort=priority&q=ten&featured='), 'Ten')
    assert.equal(await titles('sort=priority&active=all', api.channel.keys.admin), 'Nothing,Hidden,Nine,Ten')
    assert.equal(await titles('sort=priority&active=false', api.channel.keys.admin), 'Hidden')
    const first = await read('sort=priority&per_page=2')
    assert.deepEqual([first.pagination.pages, first.pagination.next], [2, 1])
    assert.equal(await titles('sort=priority&per_page=2&page=1'), 'Ten')
    assert.equal(await titles(`sort=priority&per_page=2&cursor=${first.pagination.next_cursor}`), 'Ten')
    const address = `${api.url}/zobjects?api_key=${api.channel.keys.read_only}&zobject_type=${encodeURIComponent(zobject_type)}`
    const refused = await ask(`${address}&sort=tags`, format)
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['sort']])
    const ignored = await ask(`${address}&sort=unknown`, format, { headers: lenient })
    assert.deepEqual([ignored.status, ignored.headers.get('x-notice')?.slice(0, 14)], [200, 'sort "unknown"'])
  })

  test(`with zobject_details=true videos show their complete zobjects (${format})`, async () => {
    const [type, another] = [await newType(), await newType()]
    const one = await newZobject(type.title, { title: 'One', priority: 5 })
    const two = await newZobject(another.title, { title: 'Two' })
    const draft = await newZobject(type.title, { active: false })
    const { _id: id } = await api.as('admin').videos.create({ title: 'Film' })
    await api.as('admin').videos.addZobjects(id, { zobject_id: [one._id, two._id, draft._id] })
    const list = async (query: string, key = api.channel.keys.read_only) =>
      (await ask(`${api.url}/videos?api_key=${key}&id=${id}&zobject_details=true${query}`, format)).body
        .response[0]?.video_zobjects as Loose[]
    const [first, ...others] = await list('')
    assert.deepEqual([first?.priority, first?.friendly_title, others.length], [5, one.friendly_title, 1])
    assert.equal((await list('', api.channel.keys.admin)).length, 3)
    assert.deepEqual(await list(`&zobject_types=${another.title}&zobject_fields=title`), [
      { _id: two._id, title: 'Two' },
    ])
    const single = await ask(
      `${api.url}/videos/${id}?api_key=${api.channel.keys.read_only}&zobject_details=true&response_fields=video_zobjects`,
      format,
    )
    assert.deepEqual(Object.keys(single.body.response).sort(), ['_id', 'video_zobjects'])
  })
}
