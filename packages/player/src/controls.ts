/** The parts of media-chrome that the markup uses. Importing one defines its element. */
import 'media-chrome/media-airplay-button'
import 'media-chrome/media-captions-button'
import 'media-chrome/media-cast-button'
import 'media-chrome/media-chrome-button'
import 'media-chrome/media-control-bar'
import 'media-chrome/media-controller'
import 'media-chrome/media-fullscreen-button'
import 'media-chrome/media-loading-indicator'
import 'media-chrome/media-mute-button'
import 'media-chrome/media-pip-button'
import 'media-chrome/media-play-button'
import 'media-chrome/media-time-range'
import 'media-chrome/media-volume-range'
import 'media-chrome/menu/media-audio-track-menu'
import 'media-chrome/menu/media-captions-menu'
import 'media-chrome/menu/media-chrome-menu'
import 'media-chrome/menu/media-chrome-menu-item'
import 'media-chrome/menu/media-playback-rate-menu'
import 'media-chrome/menu/media-rendition-menu'
import 'media-chrome/menu/media-settings-menu'
import 'media-chrome/menu/media-settings-menu-button'
import 'media-chrome/menu/media-settings-menu-item'
import MediaTimeDisplay from 'media-chrome/media-time-display'
import { shownDuration, shownTime } from './times.js'

/** Rounds seconds as other pages do. The display of media-chrome truncates them. */
class ZoetropeTimeDisplay extends MediaTimeDisplay {
  /** The times themselves are a better name for screen readers than "playback time", which is set at every change. */
  override attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    super.attributeChangedCallback(name, before, now)
    this.removeAttribute('aria-label')
  }
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
