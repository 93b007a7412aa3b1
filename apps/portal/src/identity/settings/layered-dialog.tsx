import { Dialog, type DialogProps } from "@findersfee/ui/overlays/dialog";
import { LayersProvider } from "@findersfee/ui/overlays/layers";

/** A dialog. Only one is open at a time. */
export function LayeredDialog(props: DialogProps) {
  return (
    <LayersProvider>
      <Dialog {...props} />
    </LayersProvider>
  );
}
