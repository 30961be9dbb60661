import { ListPage } from '../../ui/record-pages/list-page.js'
import { adTags } from './kind.js'

export const Page = () => <ListPage kind={adTags} />
