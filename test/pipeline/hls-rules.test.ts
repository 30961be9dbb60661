import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startOwnApi, type TestApi } from '../support/api.js'
import { type ClipWish, makeClip } from '../support/clip.js'
import {
  codecOf,
  type Master,
  type Playlist,
  ratesOf,
  readBytes,
  readMaster,
  readPacked,
  readPlaylist,
  type Variant,
} from '../support/hls.js'
import { factsIn, picturesIn } from '../support/joined.js'
import { openWorker, uploadClip } from '../support/media.js'
import { untilComplete } from './format-clips.js'

let api: TestApi
let folder: string
let worker: { stop(): Promise<void> }
before(async () => {
  api = await startOwnApi()
  await api.as('admin').formats.update({ mp4_360p: false, webm_360p: false })
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-hls-'))
  worker = openWorker(api)
})
after(async () => {
  await worker.stop()
  await api.stop()
  await rm(folder, { recursive: true, force: true })
})

const small = { size: '160x90', rate: '15' } as const
const spoken = (code: string) => ['-metadata:s:a:0', `language=${code}`]

/** What the playlists of a film must declare. */
interface Film {
  readonly wish: ClipWish
  readonly sizes: readonly string[]
  readonly language?: readonly [code: string, name: string]
  /** One for each audio group. */
  readonly channels: readonly string[]
  /** Audio tracks beside the main one: what the playlist says about each. */
  readonly others?: readonly (readonly (string | undefined)[])[]
}

const films: Readonly<Record<string, Film>> = {
  'H.264 and AAC in MP4': {
    wish: { seconds: 5, size: '480x96', rate: '15', keyEvery: 15, more: spoken('eng') },
    sizes: ['426x86', '480x96'],
    language: ['en', 'English'],
    channels: ['2'],
  },
  'H.264 in Matroska with 5.1': {
    wish: { ...small, seconds: 5, keyEvery: 30, container: 'mkv', channels: 6, more: spoken('ger') },
    sizes: ['160x90'],
    language: ['de', 'German'],
    channels: ['2', '6'],
  },
  HEVC: {
    wish: { ...small, seconds: 5, codec: 'libx265', more: spoken('und') },
    sizes: ['160x90'],
    channels: ['2'],
  },
  'a portrait that is copied': {
    wish: { ...small, seconds: 5, size: '90x160', keyEvery: 20, more: ['-profile:v', 'baseline'] },
    sizes: ['90x160'],
    channels: ['2'],
  },
  'three audio tracks': {
    wish: {
      ...{ ...small, seconds: 5, container: 'mkv' },
      voices: [
        { hertz: 330, language: 'ger' },
        { hertz: 440, language: 'eng', disposition: 'default' },
        { hertz: 550, language: 'eng', disposition: 'visual_impaired' },
      ],
    },
    sizes: ['160x90'],
    language: ['en', 'English'],
    channels: ['2'],
    others: [
      ['de', 'German', 'NO', 'YES', undefined],
      ['en', 'English (audio description)', 'NO', 'YES', 'public.accessibility.describes-video'],
    ],
  },
  'sound alone in two languages': {
    wish: {
      ...{ seconds: 5, codec: 'none', container: 'm4a' },
      voices: [{ hertz: 330, language: 'eng' }, { hertz: 440, language: 'eng' }, { hertz: 550 }],
    },
    sizes: [],
    language: ['en', 'English'],
    channels: ['1'],
    others: [
      ['en', 'English 2', 'NO', 'NO', undefined],
      [undefined, 'Audio', 'NO', 'NO', undefined],
    ],
  },
  'a silent film': { wish: { ...small, seconds: 5, audio: 'none' }, sizes: ['160x90'], channels: [] },
  'sound alone': {
    wish: { seconds: 5, codec: 'none', container: 'm4a', more: spoken('fra') },
    sizes: [],
    language: ['fr', 'French'],
    channels: ['2'],
  },
}

async function publish(wish: ClipWish): Promise<string> {
  const { _id } = await uploadClip(api, await makeClip(wish), 'Harbour')
  await untilComplete(api, _id)
  return _id
}

const masterOf = (id: string) =>
  readMaster(`${api.url}/manifest/${id}.m3u8?api_key=${api.channel.keys.player}`)

function assertNear(declared: string | undefined, measured: number, what: string): void {
  const part = Number(declared) / measured
  assert.ok(Math.abs(part - 1) <= 0.1, `${what}: ${declared} declared, ${Math.round(measured)} measured`)
}

async function save(name: string, ...parts: readonly Buffer[]): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, Buffer.concat(parts))
  return path
}

/** A film as players see it: its master playlist, and the playlist of each rendition. */
interface Found extends Master {
  readonly playlists: ReadonlyMap<string, Playlist>
  readonly sounds: Master['media']
  readonly pictures: Master['variants']
}

async function find(wish: ClipWish): Promise<Found> {
  const master = await masterOf(await publish(wish))
  const playlists = new Map<string, Playlist>()
  const addresses = [...master.variants, ...master.media].map(({ address }) => address)
  for (const address of new Set(addresses.filter((each) => each !== '')))
    playlists.set(address, await readPlaylist(address))
  const sounds = master.media.filter(({ attributes }) => attributes.TYPE === 'AUDIO')
  const pictures = master.variants.filter(({ attributes }) => attributes.RESOLUTION)
  return { ...master, playlists, sounds, pictures }
}

/** Returns the playlists that are played together for a variant, for each audio track. */
function combinationsOf({ playlists, sounds }: Found, { attributes, address }: Variant): Playlist[][] {
  const group = sounds.filter((each) => each.attributes['GROUP-ID'] === attributes.AUDIO)
  const chosen = group.length > 0 ? group.map((each) => each.address || address) : [address]
  const isPicture = attributes.RESOLUTION !== undefined
  return chosen.map((sound) =>
    [...new Set(isPicture ? [address, sound] : [sound])].flatMap((each) => playlists.get(each) ?? []),
  )
}

/** Every size is listed with every audio group, followed by the sound alone. */
function checkVariants({ variants, pictures, sounds }: Found, film: Film): void {
  const { sizes, channels, language, others = [] } = film
  const groups = [...new Set(sounds.map(({ attributes }) => attributes['GROUP-ID']))]
  const groupsOfSounds = groups.map((group) => sounds.filter((each) => each.attributes['GROUP-ID'] === group))
  assert.deepEqual(
    groupsOfSounds.map(([first]) => first?.attributes.CHANNELS),
    channels,
  )
  for (const members of groupsOfSounds)
    assert.deepEqual(
      members.map(({ attributes: { LANGUAGE, NAME, DEFAULT, AUTOSELECT, CHARACTERISTICS } }) => [
        ...[LANGUAGE, NAME, DEFAULT, AUTOSELECT, CHARACTERISTICS],
      ]),
      [[...(language ?? [undefined, 'Audio']), 'YES', 'YES', undefined], ...others],
    )
  const expected = sizes.flatMap((size) =>
    (groups.length > 0 ? groups : [undefined]).map((group) => `${size} ${group}`),
  )
  const listed = pictures.map(({ attributes }) => `${attributes.RESOLUTION} ${attributes.AUDIO}`)
  assert.deepEqual(listed.toSorted(), expected.toSorted())
  const alone = variants.filter((variant) => !pictures.includes(variant))
  assert.deepEqual(alone, groups.length > 0 ? variants.slice(-groups.length) : [])
  assert.deepEqual(
    alone.map(({ attributes }) => [attributes.CODECS, attributes.AUDIO]),
    groups.map((group) => ['mp4a.40.2', group]),
  )
}

async function checkRates(found: Found): Promise<void> {
  for (const variant of found.variants) {
    const combinations = await Promise.all(
      combinationsOf(found, variant).map((parts) => Promise.all(parts.map(ratesOf))),
    )
    const sum = (rate: 'peak' | 'average') =>
      Math.max(...combinations.map((parts) => parts.reduce((all, part) => all + part[rate], 0)))
    const { BANDWIDTH, 'AVERAGE-BANDWIDTH': average, RESOLUTION } = variant.attributes
    assertNear(BANDWIDTH, sum('peak'), `the peak of ${RESOLUTION}`)
    assertNear(average, sum('average'), `the average of ${RESOLUTION}`)
  }
}

function checkTargets({ playlists }: Found): void {
  assert.equal(new Set([...playlists.values()].map(({ target }) => target)).size, 1)
  for (const { target, segments } of playlists.values())
    assert.ok(segments.every(({ seconds }) => Math.round(seconds) <= target))
}

async function checkCodecs(found: Found): Promise<void> {
  for (const variant of found.variants) {
    for (const parts of combinationsOf(found, variant)) {
      const inits = await Promise.all(parts.map(({ init }) => readBytes(init)))
      assert.equal(variant.attributes.CODECS, inits.map(codecOf).join())
    }
  }
}

async function checkChannels({ sounds, playlists }: Found): Promise<void> {
  for (const { attributes, address } of sounds) {
    const { init, segments } = playlists.get(address) ?? { init: '', segments: [] }
    const first = segments[0]?.address
    if (!first) continue
    const { audio } = await factsIn(await save('sound.mp4', await readBytes(init), await readBytes(first)))
    assert.equal(String(audio?.channels), attributes.CHANNELS)
  }
}

/** Each key frame is a single, independent picture. */
async function checkKeyFrames({ keyFrames, pictures, playlists }: Found, { sizes }: Film): Promise<void> {
  assert.deepEqual(keyFrames.map(({ attributes }) => attributes.RESOLUTION).toSorted(), sizes.toSorted())
  for (const { attributes, address } of keyFrames) {
    const playlist = await readPlaylist(address)
    assert.match(playlist.text, /#EXT-X-I-FRAMES-ONLY\n/)
    assertNear(attributes.BANDWIDTH, (await ratesOf(playlist)).peak, 'the peak of the key frames')
    const whole = pictures.find((each) => each.attributes.RESOLUTION === attributes.RESOLUTION)
    assert.equal(playlist.segments.length, playlists.get(whole?.address ?? '')?.segments.length)
    const init = await readBytes(playlist.init)
    assert.equal(attributes.CODECS, codecOf(init))
    for (const segment of [playlist.segments[0], playlist.segments.at(-1)]) {
      const bytes = await readBytes(segment?.address ?? '', segment?.length ?? 0)
      assert.equal(await picturesIn(await save('picture.mp4', init, bytes)), 1)
    }
  }
}

for (const [name, film] of Object.entries(films))
  test(`the playlists of ${name} keep the rules of HLS`, async () => {
    const found = await find(film.wish)
    checkVariants(found, film)
    checkTargets(found)
    await checkRates(found)
    await checkCodecs(found)
    await checkChannels(found)
    await checkKeyFrames(found, film)
  })

test('playlists are compressed for those who can read that', async () => {
  const { variants } = await masterOf(
    await publish({ seconds: 1, size: '160x90', rate: '10', audio: 'none' }),
  )
  const { address = '' } = variants[0] ?? {}
  const { encoding, text } = await readPacked(address)
  assert.equal(encoding, 'gzip')
  assert.equal(text, (await readPlaylist(address)).text)
  const plain = await fetch(address, { headers: { 'accept-encoding': 'gzip;q=0' } })
  assert.equal(plain.headers.get('content-encoding'), null)
})

test('a film whose segments were not measured one by one has rates, and no list of key frames', async () => {
  const id = await publish({ seconds: 2, size: '160x90', rate: '10', audio: 'none', keyEvery: 10 })
  await api.database.db`update media_windows set segment_bytes = null, key_bytes = null`
  const { variants, keyFrames } = await masterOf(id)
  const { address = '', attributes } = variants[0] ?? {}
  assertNear(
    attributes?.['AVERAGE-BANDWIDTH'],
    (await ratesOf(await readPlaylist(address))).average,
    'the average',
  )
  assert.deepEqual(keyFrames, [])
  assert.equal((await fetch(address.replace('index.m3u8', 'iframes.m3u8'))).status, 404)
})

test('a film that is encrypted has no list of key frames', async () => {
  const id = await publish({ seconds: 1, size: '160x90', rate: '10', audio: 'none' })
  assert.equal((await masterOf(id)).keyFrames.length, 1)
  await api.as('admin').account.update({ hls_encryption: true })
  const { keyFrames, variants } = await masterOf(id)
  assert.deepEqual(keyFrames, [])
  const { address = '' } = variants[0] ?? {}
  assert.equal((await fetch(address.replace('index.m3u8', 'iframes.m3u8'))).status, 404)
})
