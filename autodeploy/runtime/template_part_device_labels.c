/* Memory of the device: parts of its arena, and weights. */
enum {
@device_labels@
};
