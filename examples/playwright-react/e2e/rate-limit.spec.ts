import { expect, test } from './fixtures.ts'

test.describe('when the minute is used up', () => {
  test.use({ petMockScenario: 'rate-limit-exhaustion' })

  test('it counts down, leaves the service alone, and goes on by itself', async ({ page, petMock, shop }) => {
    await shop.open()
    const next = page.getByRole('button', { name: 'Next' })
    for (const number of [2, 3]) {
      await next.click()
      await expect(page.getByText(`Page ${number}`)).toBeVisible()
      await expect(next).toBeEnabled()
    }
    await next.click()
    await expect(page.getByRole('heading', { name: 'One moment, please' })).toBeVisible()
    await expect(page.getByLabel('60 seconds left')).toBeVisible()
    await expect(next).toBeDisabled()
    await shop.pass(18)
    await expect(page.getByLabel('42 seconds left')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add in 42 s' })).toBeDisabled()
    await shop.pass(42)
    await expect(page.getByText('59 of 60 calls left')).toBeVisible()
    await expect(page.getByText('Page 4')).toBeVisible()
    expect(await petMock.requests.count({ status: 429 })).toBe(1)
  })

  test('it keeps what was typed', async ({ page, petMock, shop }) => {
    await shop.open()
    await expect(page.getByText('2 of 60 calls left')).toBeVisible()
    await petMock.keys.change(petMock.key, { used: { minute: 60 } })
    await page.getByLabel('Name').fill('Rex')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect(page.getByText('Rex was not added yet: the service asks for a pause.')).toBeVisible()
    await shop.pass(60)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByText('Rex was added.')).toBeVisible()
    expect(await petMock.requests.count({ operation: 'createPet' })).toBe(2)
  })
})

test.describe('when the key is banned', () => {
  test.use({ petMockScenario: 'ban' })

  test('it says until when, and makes no call before', async ({ page, petMock, shop }) => {
    await shop.open()
    await expect(page.getByRole('heading', { name: 'This key is banned for now' })).toBeVisible()
    await expect(page.getByText('5:00', { exact: true })).toBeVisible()
    await expect(page.getByText('The list comes back by itself at 12:05:00.')).toBeVisible()
    await shop.pass(299)
    await expect(page.getByLabel('1 second left')).toBeVisible()
    expect(await petMock.requests.count()).toBe(1)
    await shop.pass(1)
    await expect(page.getByRole('listitem')).toHaveCount(12)
  })
})
