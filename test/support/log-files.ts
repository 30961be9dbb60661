import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const files = new Map<string, number>()

/** Appends to a file in TEST_LOGS, the folder that is searched after the tests. Does nothing if it is not set. */
export function appendLog(name: string, text: string): void {
  append(`${process.pid}-${name}.log`, text)
}

/** Appends a secret to search for, as a line of JSON. */
export function appendSecret(secret: string): void {
  append(`${process.pid}.secrets`, `${JSON.stringify(secret)}\n`)
}

/** Writes synchronously, so that a killed process does not lose its last lines. */
function append(name: string, text: string): void {
  const folder = process.env.TEST_LOGS
  if (!folder) return
  const file = files.get(name) ?? openSync(join(folder, name), 'a')
  files.set(name, file)
  writeSync(file, text)
}
