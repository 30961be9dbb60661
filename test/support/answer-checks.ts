import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { brokenPromise, documentedOperation } from './answer-schemas.js'
import { appendLog } from './log-files.js'
import { runningFile } from './running-file.js'

const noted = new Set<string>()

/**
 * Compares the JSON responses of a server, including errors, with the OpenAPI document and notes where they differ. Any
 * difference fails the test run at its end: see `brokenPromises`.
 */
export function checkAnswers(server: Server, note = appendOnce): void {
  // Must run before all other listeners: a cached response is sent while the event is handled.
  server.prependListener('request', (request, response) => {
    if (isAboutOthers(runningFile())) return
    const operation = documentedOperation(request.method ?? '', request.url ?? '')
    if (operation) watch(operation, request, response, note)
  })
}

/** Tests that break servers on purpose, send random requests, or do not test responses. */
const isAboutOthers = (file: string) => /^test\/(browser|pipeline|robustness|sessions)\//.test(file)

type Head = Readonly<Record<string, unknown>>

type Note = (line: string) => void

function watch(operation: string, request: IncomingMessage, response: ServerResponse, note: Note): void {
  const file = runningFile()
  const { writeHead, end } = response
  let head: Head = {}
  response.writeHead = function (this: ServerResponse, ...given: unknown[]) {
    head = { ...this.getHeaders(), ...(given.at(-1) as Head) }
    return Reflect.apply(writeHead, this, given)
  } as typeof writeHead
  response.end = function (this: ServerResponse, ...given: unknown[]) {
    const [payload] = given
    if (isWhole(payload, head))
      for (const broken of promisesBroken(operation, request, this.statusCode, unpacked(payload, head)))
        note(`${broken} (${file})\n`)
    return Reflect.apply(end, this, given)
  } as typeof end
}

const isWhole = (payload: unknown, head: Head): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
  payload.length > 0 &&
  String(head['content-type']).startsWith('application/json')

const unpacked = (payload: string | Buffer, head: Head): unknown =>
  JSON.parse((head['content-encoding'] === 'gzip' ? gunzipSync(payload) : payload).toString())

/** `_method` in a POST selects another operation, so the response may match that operation instead. */
function promisesBroken(
  operation: string,
  { method }: IncomingMessage,
  status: number,
  body: unknown,
): string[] {
  // A verb that the path does not support belongs to no operation, and `_method` can select one.
  if (status === 405) return []
  const meant = method === 'POST' ? ['POST', 'PUT', 'DELETE'] : [method]
  const broken = meant.map((verb) => brokenPromise(operation.replace(/^\w+/, verb ?? ''), status, body))
  return broken.includes('') ? [] : broken.slice(0, 1)
}

function appendOnce(line: string): void {
  if (noted.has(line)) return
  noted.add(line)
  appendLog('promises', line)
}

/** Returns the responses that differed from the OpenAPI document during the run. */
export function brokenPromises(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('-promises.log'))
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  return [...new Set(lines)].filter((line) => line !== '')
}
