import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AudioPlan } from './audio-plan.js'
import { fraction } from './fraction.js'
import type { Grid } from './grid.js'
import type { Rung } from './ladder.js'
import { masterPlaylist, type SoundRendition, type Track } from './master-playlist.js'
import { keyFramePlaylist, mediaPlaylist, subtitlePlaylist, targetFor, videoSeconds } from './playlists.js'

const grid: Grid = {
  frameRate: fraction(30_000, 1001),
  timescale: 30_000,
  ticksPerFrame: 1001,
  borders: [0, 30, 150],
}
const rung: Rung = {
  name: 'hls_360p',
  method: 'encode',
  width: 640,
  height: 360,
  maxRate: 800_000,
  averageRate: 640_000,
  level: 30,
  codecs: 'avc1.64001E',
}
const audio: AudioPlan = {
  method: 'encode',
  sampleRate: 48_000,
  channels: 2,
  bitrate: 128_000,
  firstSample: 0,
  borders: [0, 47, 235],
}
const address = (track: Track) =>
  `https://a.test/${'name' in track ? track.name : track.kind}${'rung' in track ? `/${track.rung.name}` : ''}.m3u8?t=1`

const main: SoundRendition = {
  stereo: { name: 'audio', plan: audio },
  name: 'Audio',
  isDefault: true,
  isAutomatic: true,
}
const sounds = [main]

test('the master playlist lists every rendition with the attributes players need', () => {
  const subtitles = [{ id: 'a', language: 'en', name: 'English "CC"', isDefault: true }]
  assert.equal(
    masterPlaylist({ grid, rungs: [rung], sounds, subtitles, address }),
    `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="https://a.test/audio.m3u8?t=1"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="English  CC ",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,FORCED=NO,URI="https://a.test/subtitles.m3u8?t=1"
#EXT-X-STREAM-INF:BANDWIDTH=1196800,AVERAGE-BANDWIDTH=768000,RESOLUTION=640x360,FRAME-RATE=29.970,CODECS="avc1.64001E,mp4a.40.2",AUDIO="audio",SUBTITLES="subtitles"
https://a.test/video/hls_360p.m3u8?t=1
#EXT-X-STREAM-INF:BANDWIDTH=140800,AVERAGE-BANDWIDTH=128000,CODECS="mp4a.40.2",AUDIO="audio",SUBTITLES="subtitles"
https://a.test/audio.m3u8?t=1
`,
  )
})

test('a silent video has no audio in its playlist, and audio only is a stream of its own', () => {
  assert.doesNotMatch(masterPlaylist({ grid, rungs: [rung], address }), /AUDIO|mp4a/)
  const alone = masterPlaylist({ grid, rungs: [], sounds, address })
  assert.match(alone, /#EXT-X-STREAM-INF:.*CODECS="mp4a\.40\.2",AUDIO="audio"\nhttps:\/\/a\.test\/audio/)
})

test('measured rates replace the estimates, and key frames are listed where they are known', () => {
  const rates = { peak: 500_000.2, average: 400_000 }
  const measured = (track: Track) => (track.kind === 'sound' ? undefined : rates)
  const master = masterPlaylist({ grid, rungs: [rung], sounds, measured, address })
  assert.match(master, /STREAM-INF:BANDWIDTH=640801,AVERAGE-BANDWIDTH=528000,RESOLUTION/)
  assert.match(
    master,
    /#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=500001,AVERAGE-BANDWIDTH=400000,RESOLUTION=640x360,CODECS="avc1\.64001E",URI="https:\/\/a\.test\/keyFrames\/hls_360p\.m3u8\?t=1"\n/,
  )
})

test('surround is a second group with the same members, and stereo comes first', () => {
  const surround = { name: 'surround', plan: { ...audio, channels: 6, bitrate: 320_000 } }
  const spoken = { ...main, surround, name: 'Brazilian Portuguese', language: 'pt-BR' }
  const master = masterPlaylist({ grid, rungs: [rung], sounds: [spoken], address })
  const about = 'NAME="Brazilian Portuguese",LANGUAGE="pt-BR",DEFAULT=YES,AUTOSELECT=YES'
  assert.match(master, new RegExp(`GROUP-ID="audio",${about},CHANNELS="2",URI="https://a.test/audio.m3u8`))
  assert.match(master, new RegExp(`GROUP-ID="surround",${about},CHANNELS="6",URI="https://a.test/surround`))
  const variants = master.match(/^https.*|AUDIO="\w+"/gm)
  assert.deepEqual(variants, [
    ...['AUDIO="audio"', 'https://a.test/video/hls_360p.m3u8?t=1'],
    ...['AUDIO="surround"', 'https://a.test/video/hls_360p.m3u8?t=1'],
    ...['AUDIO="audio"', 'https://a.test/audio.m3u8?t=1'],
    ...['AUDIO="surround"', 'https://a.test/surround.m3u8?t=1'],
  ])
})

test('each audio track is a member of every group, and one of them is the default', () => {
  const surround = { name: 'surround', plan: { ...audio, channels: 6, bitrate: 320_000 } }
  const described = {
    stereo: { name: 'audio_2', plan: audio },
    name: 'English (audio description)',
    language: 'en',
    isDescription: true,
    isDefault: false,
    isAutomatic: true,
  }
  const spoken = { ...main, surround, name: 'English', language: 'en' }
  const master = masterPlaylist({ grid, rungs: [rung], sounds: [spoken, described], address })
  for (const group of ['audio', 'surround'])
    assert.match(
      master,
      new RegExp(
        `GROUP-ID="${group}",NAME="English \\(audio description\\)",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,CHARACTERISTICS="public.accessibility.describes-video",CHANNELS="2",URI="https://a.test/audio_2.m3u8`,
      ),
    )
  assert.equal(master.match(/DEFAULT=YES/g)?.length, 2)
  // Without pictures, the default track is the stream itself, and the others have addresses.
  const alone = masterPlaylist({ grid, rungs: [], sounds: [spoken, described], address })
  assert.equal(alone.match(/TYPE=AUDIO.*URI=/g)?.length, 2)
})

test('key frames are the beginnings of segments', () => {
  const list = keyFramePlaylist({
    seconds: [1, 4],
    target: 4,
    initAddress: 'init.mp4',
    segmentAddress: (segment) => `${segment}.m4s`,
    keyBytes: [1200, 3400],
  })
  assert.match(list, /#EXT-X-I-FRAMES-ONLY\n#EXT-X-MAP:URI="init.mp4"\n/)
  assert.match(list, /#EXTINF:4\.000000,\n#EXT-X-BYTERANGE:3400@0\n1\.m4s\n#EXT-X-ENDLIST/)
})

test('a media playlist is complete from the start', () => {
  const list = mediaPlaylist({
    seconds: videoSeconds(grid),
    target: targetFor(videoSeconds(grid), [4.5]),
    initAddress: 'init.mp4',
    segmentAddress: (segment) => `${segment}.m4s`,
    key: { address: '/key', iv: '00'.repeat(16) },
  })
  assert.equal(
    list,
    `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:5
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MAP:URI="init.mp4"
#EXT-X-KEY:METHOD=AES-128,URI="/key",IV=0x${'00'.repeat(16)}
#EXTINF:1.001000,
0.m4s
#EXTINF:4.004000,
1.m4s
#EXT-X-ENDLIST
`,
  )
})

test('subtitles are one segment', () => {
  assert.match(
    subtitlePlaylist(12.5, 'en.vtt'),
    /TARGETDURATION:13\n[\s\S]*#EXTINF:12\.500000,\nen\.vtt\n#EXT-X-ENDLIST/,
  )
})
