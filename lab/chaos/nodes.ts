/**
 * The long form of test/robustness/kill-nodes.test.ts: runs two servers and two workers that share a PostgreSQL and a
 * bucket, and kills any of them, or an ffmpeg, while films are uploaded, watched and deleted. Writes
 * bench/results/chaos-nodes.md. Every 50 kills it audits all films and starts over. Ctrl-C stops after the current
 * round; the same command continues.
 */
import { runNodeChaos } from '../../test/support/chaos-nodes.js'
import { killWhileFilmsCome } from './film-kills.js'

await killWhileFilmsCome({
  name: 'nodes',
  title: 'kill -9 of any of several machines',
  about: [
    'Two servers and two workers, each with a folder of its own,',
    'share one PostgreSQL and one S3 store (s3rver), and nothing else. Films are uploaded in one request, in pieces (each piece to',
    'either server) and from an address, prepared, watched and deleted, while a server, a worker or an ffmpeg is killed with SIGKILL',
    'at random. Every 50 kills all films are looked at, and new servers begin.',
  ],
  minutes: '20',
  seconds: 8,
  uploadsFor: (kills) => kills,
  runRound: runNodeChaos,
  counted: {
    'of these deleted': ({ deleted }) => deleted,
    'deleted and still there': ({ returned }) => returned.length,
  },
  alsoWrong: ({ returned }) => returned,
})
