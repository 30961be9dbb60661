import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { freePort, startProgram } from '../processes.js'
import type { Line } from '../report.js'
import { throughput } from './measure.js'

interface Segment {
  readonly name: string
  readonly url: string
  /** A file in the folder with the same bytes. */
  readonly sample: string
}

const config = (root: string, port: number) => `daemon off;
worker_processes auto;
pid ${join(root, 'nginx.pid')};
error_log stderr;
events {}
http {
  sendfile on;
  tcp_nopush on;
  access_log off;
  client_body_temp_path ${root};
  server { listen 127.0.0.1:${port}; root ${root}; }
}
`

/** Compares how often a segment can be fetched with nginx, which sends the same bytes from a file. */
export async function besideNginx(
  folder: string,
  { name, url, sample }: Segment,
  add: (line: Line) => void,
): Promise<void> {
  const port = await freePort()
  const path = join(folder, 'nginx.conf')
  await writeFile(path, config(folder, port))
  const file = `/${basename(sample)}`
  const log = join(folder, 'nginx.log')
  const nginx = await startProgram(['-p', folder, '-c', path], port, file, log, {}, { program: 'nginx' })
  const rates = { nginx: [] as number[], ours: [] as number[] }
  try {
    for (let turn = 0; turn < 3; turn += 1) {
      rates.nginx.push(await throughput({ url: nginx.url + file, seconds: 4 }))
      rates.ours.push(await throughput({ url, seconds: 4 }))
    }
  } finally {
    await nginx.stop()
  }
  const middle = (values: readonly number[]) => [...values].sort((a, b) => a - b)[1] ?? 0
  const group = 'Pieces that are there, 16 viewers at once'
  add({ group, name: `${name}, nginx with sendfile`, value: middle(rates.nginx), unit: '/s', ratio: 1 })
  const ratio = middle(rates.ours) / middle(rates.nginx)
  add({ group, name: `${name}, Zoetrope`, value: middle(rates.ours), unit: '/s', ratio, target: '≥ 0.7' })
}
