import { openFfmpeg } from '../../packages/server/src/media/open-ffmpeg.js'

/** The ffmpeg that the test run put first on PATH, as for the servers that tests start as processes. */
export const openTestFfmpeg = () => openFfmpeg({ searchPath: process.env.PATH ?? '' })
