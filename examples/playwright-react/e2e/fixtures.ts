import { test as base } from 'pet-mock/playwright'

export { expect } from 'pet-mock/playwright'

/** The time of the page's clock when a test begins. Only the test moves it. */
const noon = '2026-03-02T12:00:00'
const before = '2026-03-02T11:00:00'

interface Shop {
  readonly open: () => Promise<void>
  /** Moves the clocks of the page and of the service. */
  readonly pass: (seconds: number) => Promise<void>
}

/**
 * `shop`: the app, with both clocks frozen. pet-mock's own fixture sends its calls to the test's sandbox.
 */
export const test = base.extend<{ shop: Shop }>({
  shop: async ({ page, petMock }, use) => {
    await petMock.clock.freeze()
    await page.clock.install({ time: before })
    await page.clock.pauseAt(noon)
    await use({
      open: async () => {
        await page.goto(process.env.APP_URL ?? '')
      },
      pass: async seconds => {
        await petMock.clock.advance(`${seconds}s`)
        await page.clock.runFor(seconds * 1000)
      },
    })
  },
})
