import MediaTimeDisplay from 'media-chrome/media-time-display'
import { shownDuration, shownTime } from './times.js'

/** The display of media-chrome, which cuts seconds off where other pages round them. */
class ZoetropeTimeDisplay extends MediaTimeDisplay {
  override get mediaDuration(): number {
    return shownDuration(super.mediaDuration)
  }
  override set mediaDuration(seconds: number) {
    super.mediaDuration = seconds
  }
  override get mediaCurrentTime(): number {
    return shownTime(super.mediaCurrentTime, super.mediaDuration)
  }
  override set mediaCurrentTime(seconds: number) {
    super.mediaCurrentTime = seconds
  }
}

if (!customElements.get('zoetrope-time-display'))
  customElements.define('zoetrope-time-display', ZoetropeTimeDisplay)
