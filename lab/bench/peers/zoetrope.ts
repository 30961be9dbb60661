import { version } from '../../../packages/server/src/version.js'
import type { Running } from '../../processes.js'
import { anew } from '../measure.js'
import { type Contender, changes, commonWord, newVideo, random, rareWord, series } from './contender.js'

/** Our own server, on a channel with `rows` videos. */
export async function zoetrope(server: Running, key: string, rows: number): Promise<Contender> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const reply = await fetch(`${server.url}/videos?per_page=500&page=7`, { headers })
  const ids = ((await reply.json()) as { response: { _id: string }[] }).response.map(({ _id }) => _id)
  const one = () => `/videos/${ids[random(ids.length)]}`
  return {
    name: 'Zoetrope',
    about: `${version}, as \`npm start\` runs it; lists count all matches and are never older than the last write; the first list below is the same each time, the second search asks for the same 20 pages: these come from memory, the others are read`,
    server,
    headers,
    updates: 'PUT',
    asks: {
      list: () => ({ path: '/videos?per_page=10' }),
      filtered: () => ({ path: `/videos?per_page=10&series_id=${series(rows)}&${anew()}` }),
      get: () => ({ path: one() }),
      rare: () => ({ path: `/videos?per_page=10&q=${rareWord(rows)}&${anew()}` }),
      common: () => ({ path: `/videos?per_page=10&q=${commonWord}&page=${random(20)}` }),
      create: () => ({ path: '/videos', body: JSON.stringify({ video: newVideo() }) }),
      update: () => ({ path: one(), body: JSON.stringify({ video: changes() }) }),
    },
  }
}
