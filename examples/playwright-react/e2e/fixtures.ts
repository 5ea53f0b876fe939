import { test as base } from 'pet-mock/playwright'

export { expect } from 'pet-mock/playwright'

/** Where the page's clock stands when a test begins; it goes on only when the test says so. */
const noon = '2026-03-02T12:00:00'
const before = '2026-03-02T11:00:00'

interface Shop {
  readonly open: () => Promise<void>
  /** Lets time pass, in the page and in the service alike. */
  readonly pass: (seconds: number) => Promise<void>
}

/**
 * `shop`: the app, whose clock and whose service's clock stand still. That its calls lead into the sandbox of the test is
 * the work of pet-mock's own fixture.
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
