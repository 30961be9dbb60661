/** Debian's Prometheus scrapes a running server, and evaluates the alert rules that we publish. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { startOwnApi } from '../support/api.js'
import { until } from '../support/patience.js'
import { freePort } from '../support/server-process.js'

const [prometheus, promtool] = ['/usr/bin/prometheus', '/usr/bin/promtool']
const skip = !existsSync(prometheus) && `${prometheus} is missing`
const rules = resolve('deploy/alerts.yml')

interface Rule {
  readonly name: string
  readonly health: string
  readonly state: string
}

test('promtool accepts the alert rules', { skip }, () => {
  assert.match(
    execFileSync(promtool, ['check', 'rules', rules], { encoding: 'utf8' }),
    /SUCCESS: \d+ rules found/,
  )
})

test('Prometheus scrapes a server, evaluates every rule, and notices that no worker runs', {
  skip,
}, async () => {
  const api = await startOwnApi()
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-prometheus-'))
  const port = await freePort()
  const quick = (await readFile(rules, 'utf8')).replace(/^\s+for: .*$/gm, '')
  await writeFile(join(folder, 'alerts.yml'), quick)
  await writeFile(
    join(folder, 'prometheus.yml'),
    `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [alerts.yml]
scrape_configs: [{ job_name: zoetrope, static_configs: [{ targets: ['${new URL(api.url).host}'] }] }]
`,
  )
  const args = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`]
  const child = spawn(prometheus, [...args, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
  const ask = async <T>(path: string): Promise<T> => {
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    return ((await reply.json()) as { data: T }).data
  }
  const valueNow = async (query: string) => {
    const { result } = await ask<{ result: { value: [number, string] }[] }>(
      `query?query=${encodeURIComponent(query)}`,
    )
    return result[0]?.value[1]
  }
  try {
    await until('The first scrape', () =>
      valueNow('zoetrope_database_up').then(
        (value) => value === '1',
        () => false,
      ),
    )
    const found = await until('The alert', async () => {
      const { groups } = await ask<{ groups: { rules: Rule[] }[] }>('rules')
      const all = groups.flatMap((group) => group.rules)
      const isFiring = all.some(({ name, state }) => name === 'ZoetropeNoWorkers' && state === 'firing')
      return isFiring && all.every(({ health }) => health !== 'unknown') && all
    })
    assert.deepEqual(
      found.filter(({ health }) => health !== 'ok'),
      [],
    )
    const { panels } = JSON.parse(await readFile('deploy/grafana.json', 'utf8')) as {
      panels: { targets: { expr: string }[] }[]
    }
    for (const { expr } of panels.flatMap(({ targets }) => targets)) {
      const reply = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expr)}`)
      assert.equal(reply.status, 200, expr)
    }
  } finally {
    child.kill()
    await once(child, 'exit')
    await api.stop()
    await rm(folder, { recursive: true, force: true })
  }
})
