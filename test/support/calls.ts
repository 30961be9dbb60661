import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { hostedOperationAt } from '../../packages/server/src/api/not-offered.js'
import { callsAll, nameOf } from './coverage.js'
import { claimsOf, coveragePage } from './coverage-page.js'
import { appendLog } from './log-files.js'
import { root } from './markdown.js'
import { runningFile } from './running-file.js'

const noted = new Set<string>()

/** Records each operation that the running test file calls successfully, once. */
export function noteCalls(server: Server): void {
  server.on('request', (request, response) => {
    const file = runningFile()
    const path = (request.url ?? '').split('?', 1)[0] as string
    response.on('finish', () => {
      if (response.statusCode >= 400) return
      const verb = request.method ?? ''
      const called =
        hostedOperationAt(verb, path) ?? hostedOperationAt(verb, path.replace(/(\.\w+)?\/?$/, ''))
      const line = called ? `${nameOf(called)} by ${file}\n` : ''
      if (noted.has(line) || line === '') return
      noted.add(line)
      appendLog('calls', line)
    })
  })
}

/** Returns the calls that docs/api/coverage.md claims for these files but that they did not make. */
export function untrueClaims(folder: string, files: readonly string[]): string[] {
  const calls = readdirSync(folder).filter((name) => name.endsWith('-calls.log'))
  const done = new Set(calls.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')))
  return claimsOf(readFileSync(join(root, coveragePage), 'utf8'))
    .filter(({ test }) => files.includes(test))
    .filter(({ name, test }) => !done.has(`${name} by ${test}`))
    .map(
      ({ name, test }) =>
        `${coveragePage} says that ${test} calls ${name}, and it did not. Name ${callsAll} there.`,
    )
}
