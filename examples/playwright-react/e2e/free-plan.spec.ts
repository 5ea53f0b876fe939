import { expect, test } from './fixtures.ts'

test.beforeEach(({ shop }) => shop.open())

test('it shows a page of pets, and how many calls are left', async ({ page }) => {
  await expect(page.getByRole('listitem')).toHaveCount(12)
  await expect(page.getByText('59 of 60 calls left')).toBeVisible()
})

test('it pages there and back', async ({ page, petMock }) => {
  const first = page.getByRole('listitem').first()
  await expect(first).toContainText('Biscuit')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Page 2')).toBeVisible()
  const [thirteenth] = await petMock.pets.list({ after: 12, limit: 1 })
  await expect(first).toContainText(thirteenth?.name ?? '')
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(first).toContainText('Biscuit')
})

test('it shows the pets of one status', async ({ page, petMock }) => {
  await page.getByRole('button', { name: 'pending' }).click()
  const pending = await petMock.pets.list({ status: 'pending', limit: 12 })
  await expect(page.locator('.name')).toHaveText(pending.map(({ name }) => name))
})

test.describe('with no pets', () => {
  test.use({ petMockScenario: 'empty-store' })

  test('it adds one', async ({ page, petMock }) => {
    await expect(page.getByText('There is no such pet.')).toBeVisible()
    await page.getByLabel('Name').fill('Rex')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect(page.getByText('Rex was added.')).toBeVisible()
    await expect(page.locator('.name')).toHaveText(['Rex'])
    expect(await petMock.pets.list()).toMatchObject([{ name: 'Rex', categoryId: 1, status: 'available' }])
  })
})

test('it says in the words of the service what is wrong with a new pet', async ({ page, petMock }) => {
  await petMock.rules.add({
    match: { operation: 'createPet' },
    then: { status: 400, code: 'invalid_body', message: 'There is no category 1.' },
  })
  await page.getByLabel('Name').fill('Rex')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('There is no category 1.')).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Rex')
})
