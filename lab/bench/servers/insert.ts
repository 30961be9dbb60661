/** The most that a server in front of PostgreSQL could do: node:http, one plain `insert` or `update`, and its answer. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import postgres from 'postgres'

const [host = '', siteId = '', port = ''] = process.argv.slice(2)
const db = postgres({ host, port: 5432, database: 'zoetrope', username: 'zoetrope', max: 16 })
const [stored] = await db<{ record: string }[]>`select record::text from plain_videos limit 1`
const record = stored?.record ?? '{}'

interface Sent {
  readonly video: { readonly title: string; readonly keywords: string[]; readonly source_id: string }
}

async function write(request: IncomingMessage): Promise<string> {
  if (request.method === 'GET') return ''
  const { title, keywords, source_id } = (JSON.parse(await text(request)) as Sent).video
  const id = request.url?.split('/')[2]
  const [row] =
    id === undefined
      ? await db<{ record: string }[]>`
          insert into plain_videos (_id, site_id, title, keywords, source_id, friendly_title, record)
          values (${randomBytes(12).toString('hex')}, ${siteId}, ${title}, ${keywords}, ${source_id}, ${title}, ${record})
          returning record::text
        `
      : await db<{ record: string }[]>`
          update plain_videos set title = ${title}, keywords = ${keywords}, source_id = ${source_id}, record = ${record},
            updated_at = now()
          where site_id = ${siteId} and _id = ${id} returning record::text
        `
  return row?.record ?? ''
}

createServer((request, response) => {
  write(request).then(
    (body) => response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body),
    () => response.writeHead(500).end(),
  )
}).listen(Number(port), '127.0.0.1')
