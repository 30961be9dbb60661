import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOfDevice } from './device-kind.js'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const userAgents = {
  Desktop: [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/130.0.0.0 Safari/537.36`,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  ],
  'iOS (HTML5)': [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
  ],
  'iOS (Native)': [
    'MyApp/3 (iPhone; iOS 18.0; Scale/3.00)',
    'AppleCoreMedia/1.0.0.21A329 (iPhone; U; CPU OS 17_0 like Mac OS X)',
    'cfnetwork',
  ],
  'Android (HTML5)': [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${webkit} Chrome/130.0 Mobile Safari/537.36`],
  'Android (Native)': ['Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8)', 'okhttp/4.12.0', 'zype android'],
  'Apple TV': ['AppleTV11,1/11.1', 'MyApp/1 (tvOS 18.0)', 'zype tvos'],
  FireTV: [
    'Dalvik/2.1.0 (Linux; U; Android 9; AFTKA Build/PS7)',
    `Mozilla/5.0 (Linux; Android 9) ${webkit} Chrome/70.0 AmazonWebAppPlatform/3.4`,
  ],
  Roku: ['Roku/DVP-12.0 (12.0.0.4182-88)'],
  Chromecast: [`Mozilla/5.0 (X11; Linux armv7l) ${webkit} Chrome/120.0 Safari/537.36 CrKey/1.56`],
  SmartTV: [
    `Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) ${webkit} 94.0/7.0 TV Safari/537.36`,
    `Mozilla/5.0 (Web0S; Linux/SmartTV) ${webkit} Chrome/108.0 Safari/537.36`,
  ],
  'Xbox (HTML5)': [`Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) ${webkit} Edge/44`],
  Xbox: ['MyApp/1 (Xbox Series X)'],
  '': ['', 'curl/8.5.0', 'x'.repeat(100_000)],
}

for (const [kind, agents] of Object.entries(userAgents))
  test(`the device is recognised as ${kind || 'unknown'}`, () => {
    for (const agent of agents) assert.equal(kindOfDevice(agent), kind, agent.slice(0, 100))
  })
test('a device without a User-Agent is unknown', () => assert.equal(kindOfDevice(undefined), ''))
