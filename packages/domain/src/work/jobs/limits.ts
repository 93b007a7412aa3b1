/** Unfinished jobs of an organization at once. */
export const MAX_RUNNING = 5;
/** The size of a result file. An export of 1,000,000 affiliates has about 200 MB. */
export const MAX_FILE_BYTES = 512 * 1024 * 1024;
/** The last result files of an organization are kept. */
export const MAX_FILES = 10;
/** For this time. */
export const FILES_RETENTION_DAYS = 7;
/** The rows of jobs, without files. */
export const JOBS_RETENTION_DAYS = 90;
