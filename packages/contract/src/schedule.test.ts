import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planSwitches } from './schedule.js'

const now = new Date('2024-06-01T12:00:00Z')
const past = new Date('2024-05-01T00:00:00Z')
const longPast = new Date('2024-04-01T00:00:00Z')
const soon = new Date('2024-07-01T00:00:00Z')
const later = new Date('2024-08-01T00:00:00Z')

interface Case {
  readonly about: string
  readonly was?: boolean
  readonly enable?: Date
  readonly disable?: Date
  readonly changed?: false
  readonly said?: boolean
  readonly active: boolean
  readonly switches: Date | null
}

const cases: readonly Case[] = [
  { about: 'no schedule: what it was', was: true, active: true, switches: null },
  { about: 'no schedule: what was said', was: true, said: false, active: false, switches: null },
  { about: 'enabled in the future: hidden until then', enable: soon, active: false, switches: soon },
  {
    about: 'enabled in the future, said active: hidden all the same',
    enable: soon,
    said: true,
    active: false,
    switches: soon,
  },
  { about: 'enabled in the past: shown', was: false, enable: past, active: true, switches: null },
  {
    about: 'enabled in the past, said inactive: not published by surprise',
    enable: past,
    said: false,
    active: false,
    switches: null,
  },
  {
    about: 'disabled in the future: shown until then',
    was: true,
    disable: soon,
    active: true,
    switches: soon,
  },
  {
    about: 'disabled in the future, said inactive: hidden already',
    disable: soon,
    said: false,
    active: false,
    switches: soon,
  },
  { about: 'disabled in the past: hidden', was: true, disable: past, active: false, switches: null },
  {
    about: 'disabled in the past, said active: the moment decides',
    disable: past,
    said: true,
    active: false,
    switches: null,
  },
  {
    about: 'a window ahead: hidden, then shown',
    enable: soon,
    disable: later,
    active: false,
    switches: soon,
  },
  {
    about: 'inside a window: shown until its end',
    was: false,
    enable: past,
    disable: soon,
    active: true,
    switches: soon,
  },
  {
    about: 'a window that is over: hidden',
    was: true,
    enable: longPast,
    disable: past,
    active: false,
    switches: null,
  },
  {
    about: 'a pause ahead: shown until it begins',
    was: true,
    disable: soon,
    enable: later,
    active: true,
    switches: soon,
  },
  {
    about: 'inside a pause: hidden until its end',
    was: true,
    disable: past,
    enable: soon,
    active: false,
    switches: soon,
  },
  {
    about: 'a pause that is over: shown',
    was: false,
    disable: longPast,
    enable: past,
    active: true,
    switches: null,
  },
  { about: 'exactly now counts as passed', was: false, enable: now, active: true, switches: null },
  {
    about: 'an old schedule leaves the last word to the publisher',
    enable: soon,
    changed: false,
    said: true,
    active: true,
    switches: soon,
  },
  {
    about: 'an old schedule, nothing said: as it was',
    was: false,
    enable: past,
    changed: false,
    active: false,
    switches: null,
  },
]

for (const {
  about,
  was = true,
  enable = null,
  disable = null,
  changed = true,
  said,
  active,
  switches,
} of cases)
  test(`${about}`, () => {
    const next = { active: was, enable_at: enable, disable_at: disable }
    assert.deepEqual(planSwitches(next, changed, said, now), { active, switches_at: switches })
  })
