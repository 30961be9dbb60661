/**
 * A reporter for Node's test runner inside a lane: tells the process that dealt out the files how each test and each file
 * ended. Node loads it before it can read TypeScript.
 */

/** A test's own failure, not that of a test within it. */
const isOwnFailure = ({ type, data }) =>
  type === 'test:fail' && data.details?.error?.failureType !== 'subtestsFailed'

const reasonOf = (error) => error?.cause?.stack ?? String(error?.cause ?? error)

function count(found, event) {
  const { type, data } = event
  if (isOwnFailure(event)) found.failures.push({ name: data.name, reason: reasonOf(data.details?.error) })
  if (type !== 'test:pass') return
  if (data.skip !== undefined) found.skipped += 1
  else if (data.details?.type !== 'suite') found.passed += 1
}

// biome-ignore lint/style/noDefaultExport: Node takes a reporter so.
export default async function* report(events) {
  let found = { passed: 0, skipped: 0, failures: [] }
  for await (const event of events) {
    count(found, event)
    // On the outermost level stand the files.
    if (!['test:pass', 'test:fail'].includes(event.type) || event.data.nesting !== 0) continue
    process.send?.({ file: event.data.name, ...found })
    found = { passed: 0, skipped: 0, failures: [] }
  }
  yield ''
}
