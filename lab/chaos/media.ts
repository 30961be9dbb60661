/**
 * The long form of test/robustness/kill-media.test.ts: kills the server, its worker, ffmpeg and PostgreSQL at random
 * while films are uploaded, prepared and watched. Writes bench/results/chaos-media.md. A round ends after 50 kills or
 * when its minutes are over: the script then audits all films and starts a new server. Ctrl-C stops after the current
 * round; the same command continues.
 */
import { runMediaChaos } from '../../test/support/chaos-media.js'
import { killWhileFilmsCome } from './film-kills.js'

await killWhileFilmsCome({
  name: 'media',
  title: 'kill -9 while films come in',
  about: [
    'Films are uploaded in one',
    'request, in pieces (tus) and from an address, prepared, encoded and watched, while processes are killed with SIGKILL at random.',
    'Every 50 kills all films are looked at, and a new server begins.',
  ],
  minutes: '15',
  seconds: 10,
  uploadsFor: (kills) => Math.ceil(kills / 5),
  runRound: runMediaChaos,
})
