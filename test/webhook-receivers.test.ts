/** The receivers in the guide accept what we sign, and nothing else. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newWebhookSecret, signatureHeaders } from '../packages/server/src/webhooks/signature.js'
import { blocksOf, readPage, root } from './support/markdown.js'
import { until } from './support/patience.js'
import { freePort } from './support/server-process.js'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-receivers-'))
})
after(() => rm(folder, { recursive: true, force: true }))

interface Language {
  readonly program: string
  readonly args: (code: string, port: string) => Promise<readonly string[]>
}

async function fileOf(name: string, code: string): Promise<string> {
  await writeFile(join(folder, name), code)
  return join(folder, name)
}

const typescript = ['--import', './scripts/typescript.mjs', '--conditions=zoetrope:source']
const languages: Readonly<Record<string, Language>> = {
  js: {
    program: process.execPath,
    args: async (code) => [...typescript, '--input-type=module', '--eval', code],
  },
  python: { program: 'python3', args: async (code) => [await fileOf('receiver.py', code)] },
  php: {
    program: 'php',
    args: async (code, port) => ['-S', `127.0.0.1:${port}`, await fileOf('receiver.php', code)],
  },
}
const secret = newWebhookSecret()
const body = JSON.stringify({ _id: 'e1', type: 'video.created', data: { title: 'Café' } })

for (const [language, { program, args }] of Object.entries(languages)) {
  const isMissing = spawnSync(program, ['--version']).error !== undefined
  test(`the receiver in ${language} checks signatures`, { skip: isMissing }, async () => {
    const page = await readPage('docs/guide/webhooks.md')
    const [code = ''] = blocksOf(page, language)
    const port = await freePort()
    const env = { ...process.env, PORT: port, WEBHOOK_SECRET: secret }
    const receiver = spawn(program, await args(code, port), { cwd: root, env, stdio: 'ignore' })
    try {
      await checkReceiver(`http://127.0.0.1:${port}/`)
    } finally {
      await end(receiver)
    }
  })
}

async function end(receiver: ChildProcess): Promise<void> {
  const ended = once(receiver, 'exit')
  receiver.kill('SIGKILL')
  await ended
}

async function checkReceiver(url: string): Promise<void> {
  const send = async (headers: Readonly<Record<string, string>>, sent = body) =>
    (await fetch(url, { method: 'POST', body: sent, headers: { ...headers } })).status
  const now = new Date()
  const signed = signatureHeaders([secret], 'e1', now, body)
  await until('the receiver', () => send(signed).catch(() => undefined))
  assert.equal(await send(signed), 204)
  const both = signatureHeaders([newWebhookSecret(), secret], 'e1', now, body)
  assert.equal(await send(both), 204, 'during a rotation')
  assert.equal(await send(signed, body.replace('Café', 'Cafe')), 400, 'a changed body')
  assert.equal(await send(signatureHeaders([newWebhookSecret()], 'e1', now, body)), 400, 'another secret')
  const old = new Date(now.getTime() - 3_600_000)
  assert.equal(await send(signatureHeaders([secret], 'e1', old, body)), 400, 'an old delivery')
}
