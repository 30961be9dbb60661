/**
 * A reporter for Node's test runner: each test that failed as a line of JSON, `{file, name, reason}`. Node loads it
 * before it can read TypeScript.
 */
import { relative } from 'node:path'

const isTestFile = (path) => path?.endsWith('.test.ts')

/** The file that a test stands in: its own, or that of the group's member it belongs to. */
function fileOf({ file, name }) {
  const path = isTestFile(name) ? name : file
  return path ? relative(process.cwd(), path) : ''
}

/** What of an event is a failure of a test's own, not of one within it. */
function failureIn({ type, data }) {
  const error = data.details?.error
  if (type !== 'test:fail' || error?.failureType === 'subtestsFailed') return []
  return [
    { file: fileOf(data), name: data.name, reason: error?.cause?.stack ?? String(error?.cause ?? error) },
  ]
}

// biome-ignore lint/style/noDefaultExport: Node takes a reporter so.
export default async function* failures(events) {
  let waiting = []
  for await (const event of events) {
    waiting.push(...failureIn(event))
    if (event.data.nesting !== 0 || waiting.length === 0) continue
    // Tests that a helper wrote down stand in the helper's file; the test around them knows better.
    const outer = fileOf(event.data)
    for (const failure of waiting)
      yield `${JSON.stringify(isTestFile(failure.file) ? failure : { ...failure, file: outer })}\n`
    waiting = []
  }
}
