import { lazily } from '../../base/lazily.ts'
import type { AllowedOrigins } from '../../emulator/replies/cors.ts'
import type { FindPage } from '../admin/pages/find-page.ts'

/**
 * The pages of the dashboard. They are imported with the first call to the admin plane. `cors`: who may frame the panel. A file of
 * its own: it leads to Node, and pages load what is beside it.
 */
export function latePages(cors: AllowedOrigins): FindPage {
  const loaded = lazily(async () => {
    const [{ createPages }, { createPageReader }] = await Promise.all([
      import('../admin/pages/find-page.ts'),
      import('./page-files.ts'),
    ])
    return createPages({ read: createPageReader(), cors })
  })
  return async call => (await loaded())(call)
}
