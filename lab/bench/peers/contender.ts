import type { Running } from '../../processes.js'

/** One request of the bench. */
export interface Ask {
  readonly path: string
  readonly body?: string
}

/** What every contender is asked for, in its own words. Each call returns another request. */
export interface Asks {
  list(): Ask
  filtered(): Ask
  get(): Ask
  rare(): Ask
  common(): Ask
  create(): Ask
  update(): Ask
}

/** A running server with the same videos as the others. */
export interface Contender {
  readonly name: string
  /** Its version and settings. */
  readonly about: string
  readonly server: Running
  readonly headers: Record<string, string>
  /** The verb of an update. */
  readonly updates: 'PUT' | 'PATCH'
  readonly asks: Asks
}

export const random = (below: number) => Math.floor(Math.random() * below)

/** The word of a rare search: one video has it. */
export const rareWord = (rows: number) => `src-${random(rows)}`
/** The word of a broad search: every 15th video has it in its title. */
export const commonWord = 'lantern'
/** Not every 50th: none of its videos is active. */
export const series = (rows = 5000) => {
  const number = random(Math.min(rows, 5000))
  return `series-${number % 50 === 0 ? number + 1 : number}`
}

let written = 0

/** A new video with all its fields. */
export function newVideo(): Record<string, unknown> {
  written += 1
  return {
    title: `Patient Comet ${written}`,
    description: `Episode ${written} of a series about the comet, filmed over one year by a crew of four.`,
    short_description: 'About the comet.',
    keywords: ['science', 'travel'],
    active: true,
    featured: false,
    mature_content: false,
    country: 'FR',
    language: 'en',
    genre: 'science',
    episode: written % 24,
    season: written % 9,
    series_id: series(),
    source_id: `new-${written}`,
    youtube_id: `yt${written}`,
    discovery_url: `https://example.com/watch/${written}`,
    subscription_required: true,
    purchase_required: false,
    purchase_price: 4.99,
    rental_price: 1.99,
    rental_duration: 2,
    marketplace_ids: { roku: `r${written}` },
    custom_attributes: { agency: 'north', code: written },
  }
}

/** What an update changes. */
export const changes = () => {
  written += 1
  return { title: `Restless Comet ${written}`, short_description: `About the comet, again: ${written}.` }
}
