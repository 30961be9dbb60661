import { percent } from '../numbers.js'

export const strings = {
  title: 'Interrupted uploads',
  about: 'Choose the same file again to resume. What was uploaded is kept for a day.',
  resume: 'Resume',
  resumeOf: (name: string) => `Resume ${name}`,
  forget: (name: string) => `Discard ${name}`,
  arrived: (size: string, done: number) => `${size} · ${percent(done / 100)} uploaded`,
  notBegun: (size: string) => `${size} · not started`,
  otherFile: (chosen: string, size: string, name: string, expected: string) =>
    `You chose ${chosen} (${size}). Choose ${name} (${expected}) to resume.`,
} as const
