/**
 * Plays films of every kind in third-party players. Starts a separate server, publishes six films, and plays each one
 * clear and encrypted in hls.js, shaka-player and video.js in Chromium, and in mpv, VLC, GStreamer and ffmpeg if
 * installed. Writes bench/results/players.md. On Debian: `apt install mpv vlc-bin vlc-plugin-base gstreamer1.0-tools
 * gstreamer1.0-plugins-{base,good,bad} gstreamer1.0-libav`. video.js comes from npm.
 */
import { execFile } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeClip } from '../../test/support/clip.js'
import { putFfmpegOnPath } from '../../test/support/ffmpeg-on-path.js'
import { patienceMs } from '../../test/support/patience.js'
import { makeGround, readCredentials, startServer } from '../../test/support/server-process.js'
import { openBrowserPlayers } from './players/browser-players.js'
import { openPrograms } from './players/programs.js'
import { type Film, films, type Player } from './players/trial.js'

const execute = promisify(execFile)
const file = new URL('../../bench/results/players.md', import.meta.url)

interface Trial {
  readonly film: string
  readonly isEncrypted: boolean
  readonly player: string
  /** Empty if it played. */
  readonly trouble: string
}

/** Known failures that we cannot fix. */
const known: readonly { readonly why: string; readonly holds: (trial: Trial) => boolean }[] = [
  {
    why: 'By its log, GStreamer 1.22 fetches the key for the init segment, which is clear by the playlist (RFC 8216, 4.3.2.4), and then finds no film in it. See docs/decisions/0046.',
    holds: ({ player, isEncrypted }) => player === 'GStreamer' && isEncrypted,
  },
  {
    why: 'VLC 3 breaks off in encrypted films of sound alone, with "truncated box discarded". Why is not known.',
    holds: ({ player, isEncrypted, film }) => player === 'VLC' && isEncrypted && film === 'sound alone',
  },
]

/** Publishes a film and waits until it is completely encoded. */
async function publish(url: string, admin: string, { wish }: Film): Promise<string> {
  const body = new FormData()
  body.set('video[title]', 'A film')
  body.set('source', await openAsBlob(await makeClip(wish)), 'film.mp4')
  const headers = { 'x-api-key': admin }
  const created = await fetch(`${url}/videos`, { method: 'POST', headers, body })
  const { response } = (await created.json()) as { response: { _id: string } }
  for (const begun = performance.now(); performance.now() - begun < patienceMs; await delay(100)) {
    const reply = await fetch(`${url}/videos/${response._id}`, { headers })
    const video = ((await reply.json()) as { response: { complete_at: string | null; status: string } })
      .response
    if (video.complete_at) return response._id
    if (video.status === 'failed') throw new Error('A film could not be prepared.')
  }
  throw new Error('A film was not whole in time.')
}

async function tryAll(players: readonly Player[], url: string, env: { readonly DATA_DIR: string }) {
  const { keys } = await readCredentials(env)
  const put = (path: string, fields: object) =>
    fetch(`${url}${path}`, {
      method: 'PUT',
      headers: { 'x-api-key': keys.admin, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    })
  await put('/settings/formats', { mp4_360p: false, webm_360p: false })
  const trials: Trial[] = []
  for (const film of films) {
    const id = await publish(url, keys.admin, film)
    for (const isEncrypted of [false, true]) {
      await put('/account', { hls_encryption: isEncrypted })
      for (const { name, play } of players) {
        const trouble = await play(`${url}/manifest/${id}.m3u8?api_key=${keys.player}`, film)
        console.log(`${film.name}${isEncrypted ? ', encrypted' : ''}, ${name}: ${trouble || 'plays'}`)
        trials.push({ film: film.name, isEncrypted, player: name, trouble })
      }
    }
  }
  return trials
}

function page(players: readonly Player[], trials: readonly Trial[], commit: string): string {
  const row = (film: string, isEncrypted: boolean) => {
    const cells = players.map(({ name }) => {
      const found = trials.find(
        (trial) => trial.film === film && trial.isEncrypted === isEncrypted && trial.player === name,
      )
      return found?.trouble === '' ? 'plays' : (found?.trouble ?? '')
    })
    return `| ${film}${isEncrypted ? ', encrypted' : ''} | ${cells.join(' | ')} |`
  }
  return [
    '# Films in other players',
    '',
    `${new Date().toISOString().slice(0, 10)}, commit ${commit}. \`npm run lab -- try-players\` does it again: each film from its beginning to its end, by the`,
    'address of its master playlist. In the browser also from 70 % of it on. A picture counts when it was decoded.',
    '',
    `| Film | ${players.map(({ name, version }) => `${name} ${version}`).join(' | ')} |`,
    `| --- |${players.map(() => ' --- |').join('')}`,
    ...films.flatMap(({ name }) => [row(name, false), row(name, true)]),
    '',
    ...known
      .filter(({ holds }) => trials.some((trial) => trial.trouble !== '' && holds(trial)))
      .map(({ why }) => `- ${why}`),
    '',
  ].join('\n')
}

await putFfmpegOnPath()
const folder = await mkdtemp(join(tmpdir(), 'zoetrope-players-'))
const ground = await makeGround()
const browser = await openBrowserPlayers(folder)
try {
  const players = [...browser.players, ...(await openPrograms(folder))]
  const server = await startServer(ground.env)
  const trials = await tryAll(players, server.url, ground.env).finally(() => server.stop())
  const { stdout } = await execute('git', ['rev-parse', '--short', 'HEAD'])
  await writeFile(file, page(players, trials, stdout.trim()))
  console.log(`Wrote ${file.pathname}.`)
  const unknown = trials.filter((trial) => trial.trouble !== '' && !known.some(({ holds }) => holds(trial)))
  if (unknown.length > 0) process.exitCode = 1
} finally {
  await browser.close()
  await ground.remove()
  await rm(folder, { recursive: true, force: true })
}
