import { ListPage } from '../../ui/record-pages/list-page.js'
import { categories } from './kind.js'

export const Page = () => <ListPage kind={categories} />
