export { nameOf } from "@findersfee/contract/affiliates/name";
