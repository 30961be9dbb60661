import { publishedRungs, type RequestedFormats } from '../media-segments/published.js'
import type { SourcePlan } from '../media-segments/source-plan.js'

/** Which quality viewers get of a source, and why, as a sentence. */
export function qualityOf(plan: SourcePlan, wanted: RequestedFormats): string {
  const { video } = plan.facts
  if (!video) return 'Viewers get sound: the file has no pictures.'
  const best = publishedRungs(plan, wanted).at(-1)
  const size = `${video.width} × ${video.height}`
  if (!best) return `Viewers get up to 360p: the film is ${size}, and HLS is switched off in the formats.`
  const name = best.name.replace('hls_', '')
  if (best.width >= video.width && best.height >= video.height)
    return `Viewers get the full size of the film, ${size}.`
  const isLargest = !plan.rungs.some((rung) => rung.width > best.width)
  const why = isLargest ? 'is the largest size that is made' : 'is the largest size of the chosen formats'
  return `Viewers get up to ${name}: the film is ${size}, and ${name} ${why}.`
}
