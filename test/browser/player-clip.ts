import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const seconds = 32

const rungs = [
  { name: 'low', width: 320, height: 180, bandwidth: 180_000 },
  { name: 'high', width: 640, height: 360, bandwidth: 500_000 },
]

const hls = (folder: string) => [
  ...['-f', 'hls', '-hls_time', '2', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
  ...['-hls_flags', 'independent_segments', '-hls_fmp4_init_filename', 'init.mp4'],
  ...['-hls_segment_filename', join(folder, '%d.m4s'), join(folder, 'index.m3u8')],
]

const encode = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-g',
  '20',
  '-keyint_min',
  '20',
  '-sc_threshold',
  '0',
]

const captions = `WEBVTT
X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000

00:00:00.000 --> 00:00:32.000
A caption that stays.
`

const subtitlePlaylist = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:${seconds}
#EXT-X-PLAYLIST-TYPE:VOD
#EXTINF:${seconds},
captions.vtt
#EXT-X-ENDLIST
`

const master = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio/index.m3u8"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="surround",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="6",URI="audio/index.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,URI="subtitles/index.m3u8"
${['audio', 'surround']
  .flatMap((group, more) =>
    rungs.map(
      ({ name, width, height, bandwidth }) =>
        `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth + more * 200_000},RESOLUTION=${width}x${height},FRAME-RATE=10,CODECS="avc1.42c01e,mp4a.40.2",AUDIO="${group}",SUBTITLES="s"\n${name}/index.m3u8`,
    ),
  )
  .join('\n')}
`

const storyboard = `WEBVTT

${[0, 1, 2, 3]
  .map(
    (cell) =>
      `00:00:${String(cell * 8).padStart(2, '0')}.000 --> 00:00:${cell * 8 + 8}.000\nsprite.jpg#xywh=${cell * 160},0,160,90\n`,
  )
  .join('\n')
  .replaceAll('--> 00:00:8.', '--> 00:00:08.')}`

/** Returns the folder of a clip that is made once per test run. Outside of one, it is made once per process. */
export function clipFolder(): Promise<string> {
  made ??= process.env.TEST_CLIPS ? makeOnce(join(process.env.TEST_CLIPS, 'player')) : makeForProcess()
  return made
}
let made: Promise<string> | undefined

async function makeForProcess(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-clip-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await makeClip(folder)
  return folder
}

/** Another process may make the same clip, so each makes its own and the first one to finish gives it the name. */
async function makeOnce(folder: string): Promise<string> {
  if (existsSync(folder)) return folder
  const own = `${folder}.${process.pid}`
  await mkdir(own, { recursive: true })
  await makeClip(own)
  await rename(own, folder).catch(async (error) => {
    if (!existsSync(folder)) throw error
    await rm(own, { recursive: true })
  })
  return folder
}

/**
 * Creates half a minute of HLS: two rungs, each with both audio groups that our films have, captions, a poster
 * and a storyboard.
 */
async function makeClip(folder: string): Promise<void> {
  const inputs = [
    ...['-f', 'lavfi', '-i', `testsrc2=size=640x360:rate=10:duration=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=220:duration=${seconds}`],
  ]
  for (const name of ['low', 'high', 'audio', 'subtitles']) await mkdir(join(folder, name))
  const outputs = rungs.flatMap(({ name, width, height }) => [
    ...[
      '-map',
      '0:v',
      '-vf',
      `scale=${width}:${height}`,
      '-pix_fmt',
      'yuv420p',
      '-profile:v',
      'baseline',
      ...encode,
    ],
    ...hls(join(folder, name)),
  ])
  await run('ffmpeg', [
    ...['-v', 'error', ...inputs, ...outputs],
    ...['-map', '1:a', '-c:a', 'aac', '-b:a', '48k', ...hls(join(folder, 'audio'))],
    ...['-map', '0:v', '-vf', 'fps=1/8,scale=160:90,tile=4x1', '-frames:v', '1', '-update', '1'],
    join(folder, 'sprite.jpg'),
  ])
  await run('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'mandelbrot=size=960x540:start_scale=0.35', '-frames:v', '1'],
    ...['-update', '1', join(folder, 'poster.jpg')],
  ])
  await run('ffmpeg', [
    ...['-v', 'error', '-i', join(folder, 'low', 'index.m3u8'), '-c', 'copy', join(folder, 'film.mp4')],
  ])
  await writeFile(join(folder, 'master.m3u8'), master)
  await writeFile(join(folder, 'storyboard.vtt'), storyboard)
  await writeFile(join(folder, 'subtitles', 'index.m3u8'), subtitlePlaylist)
  await writeFile(join(folder, 'subtitles', 'captions.vtt'), captions)
}
