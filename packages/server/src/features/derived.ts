import type { Answer, Body, Call, Run } from '../resources/feature.js'
import { project } from '../resources/projection.js'
import type { Values } from '../resources/store.js'

/** Sets fields that no table stores, if the answer has them. */
export function fill({ json, ...answer }: Answer, values: Readonly<Record<string, unknown>>): Answer {
  const { response } = JSON.parse(json.toString()) as { response: Record<string, unknown> }
  for (const [name, value] of Object.entries(values))
    if (Object.hasOwn(response, name)) response[name] = value
  return { ...answer, json: JSON.stringify({ response }) }
}

/**
 * Wraps an operation, to add fields that no table stores to its record or page of records. Those in `always` are shown even
 * if response_fields does not name them.
 */
export const deriving =
  <R extends object = Values>(
    compute: (records: readonly R[], call: Call) => Promise<readonly Values[]> | readonly Values[],
    always: readonly string[] | ((record: object) => readonly string[]) = [],
  ) =>
  <B extends Body>(run: Run<B>): Run<B> =>
  async (call) => {
    const { response_fields, ...query } = call.query
    const answer = await run({ ...call, query })
    if (!answer) return undefined
    const { response, ...rest } = JSON.parse(answer.json.toString()) as { response: R | R[] }
    const records = [response].flat() as R[]
    const values = await compute(records, call)
    const filled = records.map((record, index) => {
      const whole = { ...record, ...values[index] }
      if (!response_fields) return whole
      const names = [response_fields, typeof always === 'function' ? always(whole) : always].flat()
      return JSON.parse(project({ response_fields: names }, JSON.stringify(whole)))
    })
    return { json: JSON.stringify({ response: Array.isArray(response) ? filled : filled[0], ...rest }) }
  }

/** Wraps an operation for the calls that ask for it. Others cost nothing. */
export const ifAsked =
  (isAsked: (call: Call) => boolean, wrap: (run: Run) => Run) =>
  (run: Run): Run => {
    const wrapped = wrap(run)
    return async (call) => (isAsked(call) ? wrapped(call) : run(call))
  }
