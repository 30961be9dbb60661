import type { Scene } from './scenes.js'

/** The films of the sample channel. */
export const scenes: readonly Scene[] = [
  {
    title: 'A walk along the harbour',
    sky: ['#2b5c8a', '#f7c59f'],
    layers: ['#7aa0b8', '#4f7d98', '#2e5a73', '#1d3f54'],
    light: '#fff1cf',
    motif: 'boats',
    seconds: 7,
  },
  {
    title: 'Night train to the coast',
    sky: ['#0d1530', '#384b7c'],
    layers: ['#25335b', '#1b2746', '#131c34', '#0c1324'],
    light: '#e8ecff',
    motif: 'train',
    seconds: 6,
  },
  {
    title: 'The lighthouse keeper',
    sky: ['#f08a5d', '#f9d7a0'],
    layers: ['#c36a57', '#8f4a4f', '#5d3245', '#3a2136'],
    light: '#fff6d6',
    motif: 'lighthouse',
    seconds: 8,
  },
  {
    title: 'Winter forest',
    sky: ['#a9c7dc', '#eef5f8'],
    layers: ['#c9dbe5', '#a7c1cf', '#7c9cae', '#e6eff3'],
    light: '#ffffff',
    motif: 'trees',
    seconds: 5,
  },
  {
    title: 'Stars above the bay',
    sky: ['#05070f', '#27406b'],
    layers: ['#1c2f50', '#15233d', '#0f1a2d', '#0a1120'],
    light: '#fdf6dd',
    motif: 'stars',
    seconds: 5,
  },
  {
    title: 'Evening in the old town',
    sky: ['#4a2c5e', '#f2855e'],
    layers: ['#7d4668', '#573355', '#3d2643', '#261a2e'],
    light: '#ffd9a0',
    motif: 'town',
    seconds: 6,
  },
]

export const people = [
  'Amelia Brandt',
  'Noor Haddad',
  'Tomás Rivera',
  'Ingrid Solberg',
  'Kofi Mensah',
  'Yuki Tanaka',
  'Elena Petrova',
  'Jonas Weber',
  'Priya Nair',
  'Luca Moretti',
] as const

export const emailOf = (name: string) =>
  `${name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')}@example.com`

export const guide = [
  ['The lighthouse keeper', 'A year on the rock'],
  ['Harbour news', 'What came in this week'],
  ['Night train to the coast', 'Eleven hours, one window'],
  ['Boats of the north', 'Part 2: wood'],
  ['Stars above the bay', 'With live commentary'],
] as const
