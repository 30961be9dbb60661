import { mkdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { cpuSecondsOf, freePort, type Running, startProgram } from '../../processes.js'
import type { Line } from '../../report.js'
import { install } from './install.js'

const versions = { '@tus/server': '2.4.5', '@tus/file-store': '2.1.1' }
const piece = Buffer.alloc(1024 ** 2, 'film')
const turns = 3

/** The reference server of the tus protocol, with its store of files. */
const reference = `const { Server } = require('@tus/server')
const { FileStore } = require('@tus/file-store')
const { createServer } = require('node:http')
const tus = new Server({ path: '/files', datastore: new FileStore({ directory: process.argv[2] }) })
createServer((request, response) =>
  request.url === '/' ? response.end('ready') : tus.handle(request, response),
).listen(Number(process.argv[3]), '127.0.0.1')
`

interface TusPlace {
  readonly name: string
  readonly server: Running
  /** Where uploads are announced. */
  readonly path: string
  readonly headers: Record<string, string>
}

async function startReference(folder: string): Promise<TusPlace> {
  await install(folder, versions)
  const files = join(folder, 'files')
  await mkdir(files, { recursive: true })
  await writeFile(join(folder, 'server.cjs'), reference)
  const port = await freePort()
  const settings = { NODE_ENV: 'production' }
  const args = [join(folder, 'server.cjs'), files, String(port)]
  const server = await startProgram(args, port, '/', join(folder, 'server.log'), settings, { cwd: folder })
  return { name: '@tus/server, stored in files', server, path: '/files', headers: {} }
}

/** Uploads by tus in one request, and returns the bytes per second. */
async function upload({ server, path, headers }: TusPlace, length: number): Promise<number> {
  const tus = { 'tus-resumable': '1.0.0', ...headers }
  const begun = performance.now()
  const announced = await fetch(server.url + path, {
    method: 'POST',
    headers: { ...tus, 'upload-length': String(length), 'upload-metadata': `filename ${btoa('bench.mp4')}` },
  })
  const address = announced.headers.get('location')
  if (announced.status !== 201 || !address) throw new Error(`The upload was refused: ${announced.status}`)
  await new Promise<void>((resolve, reject) => {
    const sending = request(
      new URL(address, server.url),
      {
        method: 'PATCH',
        headers: {
          ...tus,
          'content-type': 'application/offset+octet-stream',
          'upload-offset': '0',
          'content-length': length,
        },
      },
      (reply) => {
        reply.resume()
        if (reply.statusCode === 204) resolve()
        else reject(new Error(`The upload ended with ${reply.statusCode}.`))
      },
    )
    sending.once('error', reject)
    let sent = 0
    const send = () => {
      while (sent < length) {
        sent += piece.length
        if (!sending.write(piece)) return sending.once('drain', send)
      }
      return sending.end()
    }
    send()
  })
  return length / ((performance.now() - begun) / 1000)
}

/** Uploads by tus, to ours and to the reference server, taking turns. Ours hashes the film and waits for the disk. */
export async function benchUploads(
  folder: string,
  ours: { readonly server: Running; readonly key: string },
  bytes: number,
  add: (line: Line) => void,
): Promise<string> {
  const theirs = await startReference(folder)
  const places: TusPlace[] = [
    {
      name: 'Zoetrope, hashed and on the disk',
      server: ours.server,
      path: '/uploads/tus',
      headers: { 'x-api-key': ours.key },
    },
    theirs,
  ]
  try {
    const rates = places.map((): number[] => [])
    const seconds = places.map(({ server }) => -cpuSecondsOf(server.pid))
    for (let turn = 0; turn < turns; turn += 1)
      for (const [index, place] of places.entries()) rates[index]?.push(await upload(place, bytes))
    const median = (values: readonly number[] = []) => [...values].sort((a, b) => a - b)[turns >> 1] ?? 0
    for (const [index, { name, server }] of places.entries()) {
      const cpu = (((seconds[index] ?? 0) + cpuSecondsOf(server.pid)) / turns).toFixed(2)
      const value = median(rates[index]) / 1024 ** 2
      const ratio = median(rates[index]) / median(rates[1])
      const target = index === 0 ? { target: '≥ 1.2' } : {}
      const group = `An upload of ${Math.round(bytes / 1024 ** 2)} MB by tus`
      add({ group, name: `${name} (${cpu} s of processor)`, value, unit: 'MB/s', ratio, ...target })
    }
  } finally {
    await theirs.server.stop()
    await rm(join(folder, 'files'), { recursive: true, force: true })
  }
  return `@tus/server ${versions['@tus/server']} with its file store ${versions['@tus/file-store']}`
}
