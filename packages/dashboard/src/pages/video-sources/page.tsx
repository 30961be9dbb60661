import { ListPage } from '../../ui/record-pages/list-page.js'
import { videoSources } from './kind.js'

export const Page = () => <ListPage kind={videoSources} />
