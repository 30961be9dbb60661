import type { Client } from '@zoetrope/sdk'
import { useEffect, useRef, useState } from 'react'
import { useChangeVideos } from '../../data/change-videos.js'
import { forEach } from '../../data/for-each.js'
import { looseCalls } from '../../data/plain.js'
import type { Video } from '../../data/records.js'
import { useSession } from '../../data/session.js'
import { explain } from '../../ui/states.js'
import type { PlannedRow } from './plan.js'

export type Outcome = 'made' | 'updated' | 'skipped' | 'failed' | 'left'

export interface RowResult {
  readonly row: PlannedRow
  readonly outcome: Outcome
  readonly videoId?: string
  readonly problem?: string
}

export interface RunOptions {
  readonly existing: 'skip' | 'update'
  readonly active: boolean
}

/** The number of keys per lookup. */
const atOnce = 50
/** How many rows are sent between two updates of the progress. */
const toldEvery = 10

/** A film is imported only if the video has none. */
const lacksFilm = ({ status }: Video) => status === 'created' || status === 'failed'

async function known(client: Client, rows: readonly PlannedRow[]): Promise<ReadonlyMap<string, Video>> {
  const { response } = await looseCalls(client, 'videos').list({
    source_id: rows.map(({ key }) => key),
    active: 'all',
    per_page: 100,
  })
  return new Map(response.map((video) => [String(video.source_id), video]))
}

async function take(
  client: Client,
  row: PlannedRow,
  video: Video | undefined,
  { existing, active }: RunOptions,
): Promise<RowResult> {
  if (!video) {
    const made = await looseCalls(client, 'videos').create({ active, ...row.fields })
    return { row, outcome: 'made', videoId: made._id }
  }
  const { source_url, categories_attributes, ...rest } = row.fields
  const film = source_url !== undefined && lacksFilm(video) ? { source_url } : {}
  if (existing === 'skip' && Object.keys(film).length === 0)
    return { row, outcome: 'skipped', videoId: video._id }
  const fields =
    existing === 'skip' ? film : { ...rest, ...film, ...categoriesOf(video, categories_attributes) }
  await looseCalls(client, 'videos').update(video._id, fields)
  return { row, outcome: 'updated', videoId: video._id }
}

/** Changes the categories that the video already has, and adds the others. */
function categoriesOf(video: Video, changes: unknown): object {
  if (!Array.isArray(changes)) return {}
  return {
    categories_attributes: changes.map((change: { category_id: string; value: unknown }) => {
      const entry = video.categories.find(({ category_id }) => category_id === change.category_id)
      return entry ? { id: entry._id, value: change.value } : change
    }),
  }
}

export interface Run {
  readonly state: 'idle' | 'running' | 'done'
  readonly results: readonly RowResult[]
  readonly all: number
  start(rows: readonly PlannedRow[], options: RunOptions, before?: readonly RowResult[]): Promise<void>
  stop(): void
  reset(): void
}

/** Sends the rows, a few at a time. If it is interrupted, the same rows can be sent again. */
export function useRun(): Run {
  const { client } = useSession()
  const { settle } = useChangeVideos()
  const [state, setState] = useState<Run['state']>('idle')
  const [results, setResults] = useState<readonly RowResult[]>([])
  const [all, setAll] = useState(0)
  const isStopped = useRef(false)
  useEffect(
    () => () => {
      isStopped.current = true
    },
    [],
  )

  const batch = async (
    rows: readonly PlannedRow[],
    options: RunOptions,
    add: (result: RowResult) => void,
  ) => {
    let there: ReadonlyMap<string, Video>
    try {
      there = await known(client, rows)
    } catch (error) {
      for (const row of rows) add({ row, outcome: 'failed', problem: explain(error).about })
      return
    }
    await forEach(rows, async (row) => {
      if (isStopped.current) return add({ row, outcome: 'left' })
      try {
        add(await take(client, row, there.get(row.key), options))
      } catch (error) {
        add({ row, outcome: 'failed', problem: explain(error).about })
      }
    })
  }

  const sendAll = async (rows: readonly PlannedRow[], options: RunOptions, before: readonly RowResult[]) => {
    const done = [...before]
    const add = (result: RowResult) => {
      done.push(result)
      if (done.length % toldEvery === 0) setResults([...done])
    }
    for (let from = 0; from < rows.length; from += atOnce)
      await batch(rows.slice(from, from + atOnce), options, add)
    setResults(done)
  }

  return {
    state,
    results,
    all,
    async start(rows, options, before = []) {
      isStopped.current = false
      setAll(before.length + rows.length)
      setResults(before)
      setState('running')
      await settle(sendAll(rows, options, before))
      setState('done')
    },
    stop() {
      isStopped.current = true
    },
    reset() {
      setState('idle')
      setResults([])
    },
  }
}
