import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const files = new Map<string, number>()

/** Appends to a file in the folder that is searched after the tests (TEST_LOGS); without such a folder, nothing. */
export function appendLog(name: string, text: string): void {
  append(`${process.pid}-${name}.log`, text)
}

/** The same for the secrets that are searched for, each a line of JSON. */
export function appendSecret(secret: string): void {
  append(`${process.pid}.secrets`, `${JSON.stringify(secret)}\n`)
}

/** Written at once: a process that is killed must not take its last lines with it. */
function append(name: string, text: string): void {
  const folder = process.env.TEST_LOGS
  if (!folder) return
  const file = files.get(name) ?? openSync(join(folder, name), 'a')
  files.set(name, file)
  writeSync(file, text)
}
