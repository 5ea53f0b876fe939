import { expect, test } from './fixtures.ts'

test.describe('of everything', () => {
  test.use({ petMockScenario: 'outage' })
  test.beforeEach(({ shop }) => shop.open())

  test('it tries again after 1 s, 2 s, 4 s and so on, until the service is well', async ({
    page,
    petMock,
    shop,
  }) => {
    await expect(page.getByRole('heading', { name: 'The service is out of order' })).toBeVisible()
    for (const seconds of [1, 2, 4, 8]) {
      await expect(page.getByLabel(new RegExp(`^${seconds} seconds? left$`))).toBeVisible()
      await shop.pass(seconds)
    }
    await expect(page.getByText('The list comes back by itself: 5 tries so far.')).toBeVisible()
    await expect(page.getByLabel('16 seconds left')).toBeVisible()
    await shop.pass(15)
    expect(await petMock.requests.count()).toBe(5)
    await shop.pass(1)
    await expect(page.getByRole('listitem')).toHaveCount(12)
    expect(await petMock.requests.count({ status: 503 })).toBe(5)
  })

  test('it lets people try at once', async ({ page, petMock }) => {
    await expect(page.getByRole('heading', { name: 'The service is out of order' })).toBeVisible()
    await petMock.clock.advance('30s')
    await page.getByRole('button', { name: 'Try now' }).click()
    await expect(page.getByRole('listitem')).toHaveCount(12)
  })
})

test.describe('of adding', () => {
  test.use({ petMockScenario: { rules: [{ match: { operation: 'createPet' }, then: { status: 503 } }] } })
  test.beforeEach(({ shop }) => shop.open())

  test('it does not pretend to know what became of a pet', async ({ page }) => {
    await page.getByLabel('Name').fill('Rex')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect(page.getByText('Look in the list for Rex before you add it again.')).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue('Rex')
  })
})
