import { ListPage } from '../../ui/record-pages/list-page.js'
import { programGuides } from './kind.js'

export const Page = () => <ListPage kind={programGuides} />
