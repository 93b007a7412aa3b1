/** The key of the organization's long work: invalidate it after starting some. */
export const jobsKey = (organization_id: string) => [organization_id, "jobs"];
